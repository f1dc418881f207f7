# SPDX-License-Identifier: GPL-2.0-or-later
#
# Reads the output of "objdump -d" and prints each line whose instruction is not a
# user mode instruction of MIPS IV. The lists have the names and the short forms
# that objdump uses. See check-isa.sh.

function allow(words,    list, n, i) {
	n = split(words, list, " ")
	for (i = 1; i <= n; i++)
		known[list[i]]
}

function allow_formats(words, formats,    list, kind, n, m, i, j) {
	n = split(words, list, " ")
	m = split(formats, kind, " ")
	for (i = 1; i <= n; i++)
		for (j = 1; j <= m; j++)
			known[list[i] "." kind[j]]
}

BEGIN {
	FS = "\t"

	# integer arithmetic and logic
	allow("add addi addiu addu and andi lui nor or ori slt slti sltiu sltu")
	allow("sub subu xor xori dadd daddi daddiu daddu dsub dsubu")
	allow("sll sllv sra srav srl srlv dsll dsll32 dsllv dsra dsra32 dsrav")
	allow("dsrl dsrl32 dsrlv mult multu div divu dmult dmultu ddiv ddivu")
	allow("mfhi mflo mthi mtlo movn movz movf movt")
	# short forms of these
	allow("nop move li neg negu dneg dnegu not")
	# memory
	allow("lb lbu lh lhu lw lwu lwl lwr ld ldl ldr sb sh sw swl swr sd sdl")
	allow("sdr ll lld sc scd sync pref lwc1 ldc1 swc1 sdc1 lwxc1 ldxc1")
	allow("swxc1 sdxc1 prefx")
	# branches, jumps and traps
	allow("b bal beq beql beqz beqzl bne bnel bnez bnezl bgez bgezl bgezal")
	allow("bgezall bgtz bgtzl blez blezl bltz bltzl bltzal bltzall bc1f bc1fl")
	allow("bc1t bc1tl j jal jr jalr break syscall teq teqi tge tgei tgeiu")
	allow("tgeu tlt tlti tltiu tltu tne tnei")
	# floating point
	allow("cfc1 ctc1 mfc1 mtc1 dmfc1 dmtc1")
	allow_formats("add sub mul div sqrt abs neg mov movf movt movn movz", "s d")
	allow_formats("madd msub nmadd nmsub recip rsqrt", "s d")
	allow_formats("round.w trunc.w ceil.w floor.w", "s d")
	allow_formats("round.l trunc.l ceil.l floor.l", "s d")
	allow("cvt.s.d cvt.s.w cvt.s.l cvt.d.s cvt.d.w cvt.d.l")
	allow("cvt.w.s cvt.w.d cvt.l.s cvt.l.d")
	allow_formats("c.f c.un c.eq c.ueq c.olt c.ult c.ole c.ule", "s d")
	allow_formats("c.sf c.ngle c.seq c.ngl c.lt c.nge c.le c.ngt", "s d")
}

/^[0-9a-f]+ <.*>:$/ {
	where = $0
	sub(/^[0-9a-f]+ </, "", where)
	sub(/>:$/, "", where)
	next
}

NF < 3 { next }

{
	name = $3
	sub(/ .*/, "", name)
	if (name in known)
		next
	if (name == "rdhwr" && $4 ~ /,(\$29|hwr_ulr)$/)
		next
	text = $1 " " $3 " " $4
	gsub(/^ +/, "", text)
	print text " in " where
}
