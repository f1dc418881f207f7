/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events by hand, from r10k_evcntrs(5) and appendix B of the tuning guide.
 * Tests hold the driver's events.def, and all that is made of it, against this
 * list: nothing here may be made of that file.
 *
 * IRIX_EVENT(number, cpus, name, text)
 *
 *   cpus  V2 and V3: R10000 of revision 2.x and 3.x; R12: R12000 and R14000
 *   name  in sysfs and perf; libpfm4 has it in capitals
 *   text  in perfex's reports. Two numbers with one text count the same.
 *
 * Define the macro and include this file. Scripts read it, too: a row is one
 * call, with nothing behind it.
 */
IRIX_EVENT(0, V2 | V3 | R12, "cycles", "Cycles")
IRIX_EVENT(1, V2 | V3, "issued_instructions", "Issued instructions")
IRIX_EVENT(1, R12, "decoded_instructions", "Decoded instructions")
IRIX_EVENT(2, V2 | V3, "issued_loads", "Issued loads")
IRIX_EVENT(2, R12, "decoded_loads", "Decoded loads")
IRIX_EVENT(3, V2 | V3, "issued_stores", "Issued stores")
IRIX_EVENT(3, R12, "decoded_stores", "Decoded stores")
IRIX_EVENT(4, V2 | V3, "issued_store_conditionals", "Issued store conditionals")
/* The page's notes have "decoded store conditionals" here, its list has this */
IRIX_EVENT(4, R12, "mht_occupancy", "Miss handling table occupancy")
IRIX_EVENT(5, V2 | V3 | R12, "failed_store_conditionals", "Failed store conditionals")
IRIX_EVENT(6, V2, "decoded_branches", "Decoded branches")
IRIX_EVENT(6, V3, "resolved_branches", "Resolved branches")
IRIX_EVENT(6, R12, "resolved_branches", "Resolved conditional branches")
IRIX_EVENT(7, V2 | V3 | R12, "l2_writeback_quadwords",
	   "Quadwords written back from secondary cache")
IRIX_EVENT(8, V2 | V3 | R12, "l2_ecc_errors",
	   "Correctable secondary cache data array ECC errors")
IRIX_EVENT(9, V2 | V3 | R12, "l1i_misses", "Primary (L1) instruction cache misses")
IRIX_EVENT(10, V2 | V3 | R12, "l2_instruction_misses",
	   "Secondary (L2) instruction cache misses")
IRIX_EVENT(11, V2 | V3 | R12, "l2_instruction_way_mispredictions",
	   "Instruction misprediction from secondary cache way prediction table")
IRIX_EVENT(12, V2 | V3 | R12, "external_interventions", "External interventions")
IRIX_EVENT(13, V2 | V3 | R12, "external_invalidations", "External invalidations")
IRIX_EVENT(14, V2, "virtual_coherency_conditions", "Virtual coherency conditions")
IRIX_EVENT(14, V3 | R12, "alu_fpu_progress_cycles", "ALU/FPU progress cycles")
IRIX_EVENT(15, V2 | V3 | R12, "graduated_instructions", "Graduated instructions")
/* The guide's text calls this one 17, its table 16 */
IRIX_EVENT(16, V2 | V3, "cycles_ctr1", "Cycles")
IRIX_EVENT(16, R12, "executed_prefetches", "Executed prefetch instructions")
IRIX_EVENT(17, V2 | V3, "graduated_instructions_ctr1", "Graduated instructions")
IRIX_EVENT(17, R12, "prefetch_l1d_misses", "Prefetch primary data cache misses")
IRIX_EVENT(18, V2 | V3 | R12, "graduated_loads", "Graduated loads")
IRIX_EVENT(19, V2 | V3 | R12, "graduated_stores", "Graduated stores")
IRIX_EVENT(20, V2 | V3 | R12, "graduated_store_conditionals",
	   "Graduated store conditionals")
IRIX_EVENT(21, V2 | V3 | R12, "graduated_fp_instructions",
	   "Graduated floating point instructions")
IRIX_EVENT(22, V2 | V3 | R12, "l1d_writeback_quadwords",
	   "Quadwords written back from primary data cache")
IRIX_EVENT(23, V2 | V3 | R12, "tlb_misses", "TLB misses")
IRIX_EVENT(24, V2 | V3 | R12, "mispredicted_branches", "Mispredicted branches")
IRIX_EVENT(25, V2 | V3 | R12, "l1d_misses", "Primary (L1) data cache misses")
IRIX_EVENT(26, V2 | V3 | R12, "l2_data_misses", "Secondary (L2) data cache misses")
IRIX_EVENT(27, V2 | V3 | R12, "l2_data_way_mispredictions",
	   "Data misprediction from secondary cache way prediction table")
IRIX_EVENT(28, V2 | V3, "external_intervention_hits",
	   "External intervention hits in secondary cache (L2)")
IRIX_EVENT(28, R12, "external_intervention_hit_states",
	   "State of external intervention hits in secondary cache (L2)")
IRIX_EVENT(29, V2 | V3, "external_invalidation_hits",
	   "External invalidation hits in secondary cache")
IRIX_EVENT(29, R12, "external_invalidation_hit_states",
	   "State of external invalidation hits in secondary cache")
IRIX_EVENT(30, V2 | V3, "store_to_clean_block",
	   "Store/prefetch exclusive to clean block in secondary cache")
IRIX_EVENT(30, R12, "mht_memory_entries",
	   "Miss handling table entries accessing memory")
IRIX_EVENT(31, V2 | V3, "store_to_shared_block",
	   "Store/prefetch exclusive to shared block in secondary cache")
IRIX_EVENT(31, R12, "update_requests",
	   "Store/prefetch exclusive to shared block in secondary cache")
