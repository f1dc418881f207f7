/* SPDX-License-Identifier: GPL-2.0-only */
#include "asm.h"

	KERNELS

KERNEL(k_store_42)
	li	t0, 42
	sw	t0, 0(a0)
	END

KERNEL(k_load_store)
	ld	t0, 0(a0)
	daddiu	t0, t0, 1
	sd	t0, 8(a0)
	END

KERNEL(k_read_status)
	mfc0	t0, C0_STATUS
	sw	t0, 0(a0)
	END

KERNEL(k_three_breaks)
	break
	break
	sw	a0, 0(a0)
	break
	END
