#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# ssrun and prof as commands, on a kernel and a perf that are fakes: options and
# environment, what perf is asked for, files and their names, reports, errors.
#
# The real ones sample by an event map of software events.
#
# usage: test_ssrun.sh STAGE BUILD MAPS

# shellcheck source=tests/unit/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
stage=$1
fake=$2/ssrun-fake
prof=$2/speedshop/prof.out
real=$1/usr/bin/ssrun
maps=$3
pages=$(cd "$(dirname "$0")/../../../Documentation/man" && pwd)
dir=$PWD
realpath=$PATH

# Both leave their memory to exit(3)
export ASAN_OPTIONS=detect_leaks=0
unset _SPEEDSHOP_HWC_COUNTER_NUMBER _SPEEDSHOP_HWC_COUNTER_OVERFLOW \
	_SPEEDSHOP_HWC_COUNTER_PROF_NUMBER _SPEEDSHOP_HWC_COUNTER_PROF_OVERFLOW \
	_SPEEDSHOP_TRACE_FORK_TO_EXEC OMPI_COMM_WORLD_RANK PMI_RANK MPI_RANK \
	ADDR2LINE

# A perf that runs the command, and has recorded what stands in "script"
mkdir bin files
cat > bin/perf <<'END'
#!/bin/sh
case $1 in
record)
	echo "$*" > "$FAKE/asked"
	echo $PPID > "$FAKE/ssrun"
	while [ "$1" != -- ]; do
		[ "$1" = -o ] && data=$2
		shift
	done
	shift
	[ ! -e "$FAKE/refuse" ] || exit 255
	echo recorded > "$data"
	"$@"
	exit ;;
script)	cat "$FAKE/script" ;;
report)	cat "$FAKE/stats" ;;
esac
END
chmod +x bin/perf
export FAKE="$dir"
PATH=$dir/bin:$PATH
: > stats
printf 'int main(void) { return 0; }\n' > empty.c

cat > script <<'END'
      0/0       PERF_RECORD_COMM: perf-exec:21/21
     21/21      PERF_RECORD_COMM exec: true:21/21
     21/21      PERF_RECORD_MMAP2 21/21: [0x120000000(0x9000) @ 0 00:02 28 22]: r-xp /no/true
     21/21      PERF_RECORD_MMAP2 21/21: [0xffff4a3000(0x1000) @ 0 00:00 0 0]: r-xp [vdso]
     21/21              120001180 hot+0x10
     21/21              120001184 hot+0x14
     21/21              120001180 hot+0x10
     21/21              120002000 cold one(int)+0x0
     21/21             ffff4a3100 [unknown]
     21/21      PERF_RECORD_EXIT(21:21):(20:20)
END

# Options

run "$fake"
status_is 125 "without anything: 125"
err_has "no experiment given" "... and what is missing"
run "$fake" -exp
err_has "needs the name of an experiment" "-exp without a name"
run "$fake" -exp gi_hwc
status_is 125 "no command: 125"
err_has "no command given" "... and what is missing"
for option in -hang -purify; do
	run "$fake" $option -exp gi_hwc touch ran
	[ "$status" -eq 125 ] && grep -q "option $option is not supported: " err &&
		[ ! -e ran ]
	check $? "$option is refused, with what there is instead"
done
run "$fake" -exq gi_hwc touch ran
[ "$status" -eq 125 ] && grep -q "unknown option -exq; see ssrun --help" err &&
	[ ! -e ran ]
check $? "an unknown option is refused"
for option in -help --help; do
	run "$fake" $option
	[ "$status" -eq 0 ] && grep -q '^Usage: ssrun' out && [ ! -s err ]
	check $? "ssrun $option goes to stdout"
done
run "$fake" --version
out_has "ssrun (r10kperf) 0.1.0" "ssrun --version"

# Experiments: what perf is asked for

# asked EXPERIMENT EVENT INTERVAL
asked()
{
	run "$fake" -exp "$1" true
	[ "$status" -eq 0 ] &&
		grep -qF -- " -e cpu/event=$2/u -c $3 -- true" asked
	check $? "$1: event $2, interval $3"
	rm -f true.*
}

asked gi_hwc 0x11 32771
asked fgi_hwc 0x11 6553
asked cy_hwc 0x10 16411
asked fcy_hwc 0x10 3779
asked ic_hwc 0x9 2053
asked fic_hwc 0x9 419
asked isc_hwc 0xa 131
asked fisc_hwc 0xa 29
asked dc_hwc 0x19 2053
asked fdc_hwc 0x19 419
asked dsc_hwc 0x1a 131
asked fdsc_hwc 0x1a 29
asked tlb_hwc 0x17 257
asked ftlb_hwc 0x17 53
asked gfp_hwc 0x15 32771
asked fgfp_hwc 0x15 6553
asked fsc_hwc 0x5 2003
asked ffsc_hwc 0x5 401
asked prof_hwc 0x9 2053

export _SPEEDSHOP_HWC_COUNTER_NUMBER=24
asked prof_hwc 0x18 2053
_SPEEDSHOP_HWC_COUNTER_NUMBER=TLB-misses asked prof_hwc 0x17 257
export _SPEEDSHOP_HWC_COUNTER_OVERFLOW=1009
asked prof_hwc 0x18 1009
_SPEEDSHOP_HWC_COUNTER_PROF_NUMBER=7 _SPEEDSHOP_HWC_COUNTER_PROF_OVERFLOW=7 \
	asked prof_hwc 0x18 1009
unset _SPEEDSHOP_HWC_COUNTER_NUMBER _SPEEDSHOP_HWC_COUNTER_OVERFLOW
_SPEEDSHOP_HWC_COUNTER_PROF_NUMBER=7 _SPEEDSHOP_HWC_COUNTER_PROF_OVERFLOW=11 \
	asked prof_hwc 0x7 11
_SPEEDSHOP_HWC_COUNTER_OVERFLOW=2147483647 asked prof_hwc 0x9 2147483647

# bad_env NAME VALUE
bad_env()
{
	run env "$1=$2" "$fake" -exp prof_hwc touch ran
	[ "$status" -eq 125 ] && grep -q "$1 is '$2'" err && [ ! -e ran ]
	check $? "$1='$2' is refused"
}

for value in 32 -1 '' nosuch; do
	bad_env _SPEEDSHOP_HWC_COUNTER_NUMBER "$value"
	bad_env _SPEEDSHOP_HWC_COUNTER_PROF_NUMBER "$value"
done
for value in 0 -5 '' 5x 2147483648 99999999999999999999; do
	bad_env _SPEEDSHOP_HWC_COUNTER_OVERFLOW "$value"
	bad_env _SPEEDSHOP_HWC_COUNTER_PROF_OVERFLOW "$value"
done

# refused EXPERIMENT TEXT
refused()
{
	run "$fake" -exp "$1" touch ran
	[ "$status" -eq 125 ] && grep -qF -- "$2" err && [ ! -e ran ]
	check $? "experiment '$1' is refused"
}

refused gi_hwctime "gi_hwc samples the same event"
refused fgi_hwctime "fgi_hwc samples the same event"
refused prof_hwctime "prof_hwc samples the same event"
refused no_hwctime "unknown experiment"
refused time "unknown experiment"
refused pcsamp "cy_hwc shows where time goes"
refused usertime "cy_hwc shows where time goes"
refused fprof_hwc "unknown experiment"
refused ffgi_hwc "unknown experiment"
refused gi "unknown experiment"
refused "" "unknown experiment"

# IRIX gives the experiment as an option
for word in gi_hwc fgi_hwc prof_hwc; do
	for dash in - --; do
		run "$fake" $dash$word -v true
		[ "$status" -eq 0 ] && grep -q "true.$word.m21: 5 samples" err
		check $? "$dash$word is an option"
		rm -f true.*
	done
done
for word in gi_hwctime usertime ideal pcsamp fpe mpi; do
	run "$fake" -exp $word touch ran
	mv err expected
	run "$fake" -$word touch ran
	[ "$status" -eq 125 ] && grep -q "experiment $word is not supported" err &&
		[ ! -e ran ] && diff expected err >&2
	check $? "-$word is refused as an experiment, as with -exp"
done
for word in fprof_hwc gi hwc time no_hwctime; do
	run "$fake" -$word touch ran
	[ "$status" -eq 125 ] && grep -q "unknown option -$word;" err && [ ! -e ran ]
	check $? "-$word is no experiment"
done

run "$fake" -list
[ "$(grep -c _hwc out)" -eq 10 ]
check $? "-list has all experiments"

# The command

run "$fake" -exp gi_hwc sh -c 'echo hello; exit 7'
status_is 7 "the command's status is ssrun's"
[ "$(cat out)" = hello ] && [ ! -s err ]
check $? "stdout is the command's alone, and nothing is said"
run "$fake" -exp gi_hwc sh -c 'kill -TERM $$'
status_is 143 "a signal is 128 + its number"
run "$fake" -exp gi_hwc sh -c 'trap "echo caught; exit 3" INT; kill -INT $$'
status_is 3 "SIGINT is the command's affair"
run timeout 60 "$fake" -exp gi_hwc sh -c \
	'sleep 600 & echo $! > pids; sleep 600 & echo $! >> pids; kill -INT $(cat ssrun); wait'
status_is 130 "SIGINT to ssrun alone ends the command"
# shellcheck disable=SC2046 # these are numbers
! kill -0 $(cat pids) 2> /dev/null && [ -e true.gi_hwc.m21 ]
check $? "... nothing is left behind, and its samples are there"
run timeout 60 "$fake" -exp gi_hwc sh -c 'kill -HUP $(cat ssrun); exec sleep 600'
status_is 143 "SIGHUP to ssrun ends the command, and perf keeps its records"
run "$fake" -exp gi_hwc no-such-command-here
status_is 127 "command not found: 127"
err_has "no-such-command-here: command not found" "... which is named"
run "$fake" -exp gi_hwc ./empty.c
status_is 126 "a file that is not executable: 126"
run "$fake" -exp gi_hwc /tmp
status_is 126 "a folder: 126"

# What execve(2) refuses: no perf is asked, and nothing stays
printf '#!/no/such/interpreter\n' > lost
chmod +x lost
gcc -Wl,--dynamic-linker="$dir/bin/perf" empty.c -o broken
rm -f asked
run "$fake" -exp gi_hwc ./lost
status_is 127 "a script whose interpreter is missing: 127"
err_has "./lost: command not found" "... as perfex says"
run "$fake" -exp gi_hwc ./broken
status_is 126 "a program that the kernel refuses: 126"
err_has "./broken: cannot run: " "... which is named"
[ ! -e asked ] && [ -z "$(find . -name '*lost.gi*' -o -name '*broken.gi*')" ]
check $? "... before perf runs, and no file is left"
printf '#!/bin/sh\necho ran >> ran\n' > once
chmod +x once
(trap '' CHLD; run env --block-signal=TRAP "$fake" -exp gi_hwc ./once)
[ "$(cat ran)" = ran ]
check $? "what can be run runs once"
rm -f ran once.gi_hwc*
rm -f sh.*

mkdir ro
chmod a-w ro
if (: > ro/file) 2> err; then
	skip "a folder that cannot be written to: 125" \
		"this user may write everywhere"
else
	run sh -c "cd ro && '$fake' -exp gi_hwc touch ../ran"
	[ "$status" -eq 125 ] && grep -q "cannot write perf.touch.gi_hwc" err &&
		[ ! -e ran ]
	check $? "a folder that cannot be written to: 125"
fi
: > refuse
run "$fake" -exp gi_hwc true
status_is 125 "perf fails: 125"
err_has "perf record has failed" "... which is said"
[ -z "$(find . -name 'perf.true*')" ]
check $? "... and nothing is left over"
rm refuse
run env PATH=/nowhere "$fake" -exp gi_hwc /bin/true
status_is 125 "no perf: 125"
err_has "perf, which takes the samples, is not found" "... with what to install"

FAKE_OPEN_ERRNO=13 run "$fake" -exp gi_hwc touch ran
[ "$status" -eq 125 ] && grep -q "kernel.perf_event_paranoid" err &&
	[ ! -e ran ]
check $? "permission denied: 125, with the level, and nothing runs"

# Files

run "$fake" -v -exp gi_hwc true
err_has "true.gi_hwc.m21: 5 samples" "-v names the file and its samples"
sed -i -e 's/^date.*/date/' -e 's/^cpus.*/cpus/' -e 's/^mhz.*/mhz/' true.gi_hwc.m21
printf '%s\t%s\n' ssrun 1 > expected
cat >> expected <<END
date
name	true
program	/no/true
command	true
code	m
id	21
pid	21
cpu	R10000
fpu	R10010
revision	3.4
cpus
mhz
experiment	gi_hwc
event	17
counter	Graduated instructions
interval	32771
perf	cpu/event=0x11/u
lost	0
throttled	0
starved	0
sample	2	1180	1170	/no/true	hot
sample	1	1184	1170	/no/true	hot
sample	1	2000	2000	/no/true	cold one(int)
sample	1	100	0	[vdso]	[unknown]
end	5
END
diff expected true.gi_hwc.m21 > out
check $? "the file has what ssrun(1) says"
[ -z "$(find . -name 'perf.true*')" ]
check $? "what perf has recorded is gone"
run "$fake" -keep -exp gi_hwc true
grep -q recorded perf.true.gi_hwc.*
check $? "-keep keeps it"
rm -f perf.true*

# Others come: event 17 needs counter 1
rm -f true.gi*
FAKE_TAKEN=1 run "$fake" -exp gi_hwc touch ran
status_is 125 "the counter taken from the start: 125"
err_has "other users of perf have the counters" "... which is told"
[ ! -e ran ]
check $? "... and the command does not run"
FAKE_TAKEN=0 run "$fake" -exp gi_hwc true
[ "$status" -eq 0 ] && [ ! -s err ]
check $? "the other counter taken: nothing is missing"
FAKE_TAKEN=1 FAKE_TAKEN_AFTER=1 run "$fake" -exp gi_hwc true
[ "$status" -eq 0 ] && grep -q "others had the counter for a part of the time" err
check $? "taken later: told"
"$prof" true.gi_hwc.m21 | grep -q "had the counter for a part of the time: counts are too low"
check $? "... by prof as well"
cp script script.true
grep -v "hot+\|cold\|unknown" script.true > script
rm -f true.gi*
FAKE_TAKEN=1 FAKE_TAKEN_AFTER=1 run "$fake" -exp gi_hwc true
status_is 125 "... without any sample: 125"
[ ! -e true.gi_hwc.m21 ] && [ -z "$(find . -name 'perf.true.*')" ] &&
	grep -q "^ssrun: no sample was taken, and others had the counter, .*: no file is written" err
check $? "... and no file that looks like a program without events"
FAKE_TAKEN=1 FAKE_TAKEN_AFTER=1 run "$fake" -keep -exp gi_hwc true
[ "$status" -eq 125 ] && grep -q "^ssrun: perf.true.gi_hwc.*: for perf report -i$" err &&
	[ -n "$(find . -name 'perf.true.gi_hwc.*' -size +0)" ]
check $? "... but with -keep perf's records"
rm -f perf.true.*
cp script.true script

for rank in OMPI_COMM_WORLD_RANK PMI_RANK MPI_RANK; do
	run env $rank=3 "$fake" -mpi -exp gi_hwc true
	[ -e true.gi_hwc.R3.m21 ]
	check $? "$rank is in the name"
	rm -f true.gi_hwc.R3.m21
done

cp script script.true
cat > script <<'END'
     21/21      PERF_RECORD_COMM exec: sh:21/21
     21/21      PERF_RECORD_MMAP2 21/21: [0x120000000(0x9000) @ 0 00:02 28 22]: r-xp /bin/busybox
     21/21              120000100 main+0x0
     21/21      PERF_RECORD_FORK(22:22):(21:21)
     22/22              120000104 child+0x0
     22/22      PERF_RECORD_COMM exec: a-very-long-pro:22/22
     22/22      PERF_RECORD_MMAP2 22/22: [0x130000000(0x9000) @ 0x10000 00:02 2 2]: r-xp /x/a-very-long-program-name
     22/22              130000100 main+0x0
     22/22      PERF_RECORD_FORK(22:23):(22:22)
     22/23              130000200 thread+0x4
     22/22      PERF_RECORD_COMM: renamed:22/22
     22/22      PERF_RECORD_FORK(24:24):(22:22)
     24/24              130000300 child+0x0
     21/21      PERF_RECORD_COMM exec: a:b:21/21
     21/21      PERF_RECORD_MMAP2 21/21: [0x120000000(0x9000) @ 0 00:02 28 22]: r-xp /x/a:b
     21/21              120000100 main+0x0
     21/21      PERF_RECORD_COMM exec: a:b:21/21
     21/21      PERF_RECORD_MMAP2 21/21: [0x120000000(0x9000) @ 0 00:02 28 22]: r-xp /x/a:b
     21/21              120000100 main+0x0
     21/21      PERF_RECORD_LOST lost 17
END
# files NAME...: these and no others
files()
{
	printf '%s\n' *_hwc* | sort > out
	printf '%s\n' "$@" | sort | diff - out > err
}

rm -f ./*_hwc*
run "$fake" -exp gi_hwc sh
cp err warned
files sh.gi_hwc.m21 sh.gi_hwc.f22 a-very-long-program-name.gi_hwc.e22 \
	a-very-long-program-name.gi_hwc.p23 a-very-long-program-name.gi_hwc.f24 \
	a:b.gi_hwc.e21
check $? "files of forks, programs and threads"
grep -q "^sample	1	10200	101fc	/x/a-very-long-program-name	thread$" \
	a-very-long-program-name.gi_hwc.p23
check $? "a thread has the mappings of its process"
grep -q "^sample	2	100	100	/x/a:b	main$" a:b.gi_hwc.e21
check $? "the same program again goes on in its file"
grep -q "samples were lost" warned && grep -q '^lost	17$' sh.gi_hwc.m21
check $? "lost samples are told, and in the file"
rm -f ./*_hwc*
_SPEEDSHOP_TRACE_FORK_TO_EXEC=False run "$fake" -exp gi_hwc sh
files sh.gi_hwc.m21 a-very-long-program-name.gi_hwc.fe22 \
	a-very-long-program-name.gi_hwc.p23 a-very-long-program-name.gi_hwc.f24 \
	a:b.gi_hwc.e21
check $? "_SPEEDSHOP_TRACE_FORK_TO_EXEC=False: fe, without what came before"
rm -f ./*_hwc*
cat > script <<'END'
      0/0           0.000000000: PERF_RECORD_COMM: perf-exec:21/21
     21/21          3.530912268: PERF_RECORD_COMM exec: true:21/21
     21/21          3.530912268: PERF_RECORD_COMM exec: true:21/21
     21/21          3.539942262: PERF_RECORD_MMAP2 21/21: [0x120000000(0x9000) @ 0 00:02 28 22]: r-xp /no/true
     21/21          3.539942262: PERF_RECORD_MMAP2 21/21: [0x120000000(0x9000) @ 0 00:02 28 22]: r-xp /no/true
     21/21          3.565468962:         120001180 hot+0x10
     21/21          3.565468962:         120001180 hot+0x10
     21/21          3.565469962:         120001180 hot+0x10
     21/21         13.565469962:         120001180 hot+0x10
     21/21         13.565469962:         120001184 hot+0x14
     21/21         13.565480000: PERF_RECORD_LOST lost 17
     21/21         13.565480000: PERF_RECORD_LOST lost 17
END
cp script twice
# What a program can do to its names, and another user to the folder
escape=$(printf '\033')
mkfifo pipe
mkdir apart
cat > script <<END
      0/0           0.000000000: PERF_RECORD_COMM: perf-exec:21/21
     21/21          3.530912268: PERF_RECORD_COMM exec: true:21/21
     21/21          3.539942262: PERF_RECORD_MMAP2 21/21: [0x120000000(0x9000) @ 0 00:02 28 22]: r-xp /no/a
     22/22          3.540000000: PERF_RECORD_FORK(22:22):(21:21)
     22/22          3.540000001: PERF_RECORD_COMM exec: ../evil:22/22
     22/22          3.540000002: PERF_RECORD_MMAP2 22/22: [0x120000000(0x9000) @ 0 00:02 28 22]: r-xp $dir/pipe
     22/22          3.540000003:         120001180 ${escape}[31mhot	red+0x10
END
echo precious > apart/victim
ln -s victim apart/true.gi_hwc.m21
run timeout 60 sh -c "cd apart && '$fake' -exp gi_hwc true"
status_is 0 "a pipe that is mapped as a program's name says is not opened"
[ "$(echo apart/*_hwc*)" = "apart/true.gi_hwc.f22 apart/true.gi_hwc.m21" ] &&
	! ls ./*evil* > out 2>&1
check $? "no file is in another folder, whatever a line says"
[ "$(cat apart/victim)" = precious ] && [ ! -L apart/true.gi_hwc.m21 ]
check $? "a link that has a file's name is replaced, and its target stays"
grep -q '^sample	1	1180	1170	[^	]*	?\[31mhot?red$' apart/true.gi_hwc.f22
check $? "a name has no control characters in the file"
sed "s/hot?red/${escape}[31mhot/; s/^command.*/command	${escape}c/" \
	apart/true.gi_hwc.f22 > apart/true.gi_hwc.f23
run timeout 60 "$prof" -lines apart/true.gi_hwc.f23
[ "$status" -eq 0 ] && grep -qF '?[31mhot' out && ! grep -q "$escape" out
check $? "prof shows no control characters, and opens no pipe"
mv twice script
run "$fake" -exp gi_hwc true
printf '%s\t%s\t%s\t%s\t%s\t%s\n' sample 3 1180 1170 /no/true hot \
	sample 1 1184 1170 /no/true hot > expected
grep '^sample' true.gi_hwc.m21 | diff expected - > out &&
	grep -q '^lost	17$' true.gi_hwc.m21 && files true.gi_hwc.m21
check $? "what perf has recorded twice is there once"
rm -f ./*_hwc*
cat > script <<'END'
     21/21          3.530912268: PERF_RECORD_COMM exec: sh:21/21
     21/21          3.539942262: PERF_RECORD_MMAP2 21/21: [0x120000000(0x9000) @ 0 00:02 28 22]: r-xp /bin/busybox
     21/21          3.630912268: PERF_RECORD_COMM exec: true:21/21
     21/21          3.639942262: PERF_RECORD_MMAP2 21/21: [0x120000000(0x9000) @ 0 00:02 28 22]: r-xp /no/true
     21/21          3.665468962:         120001180 hot+0x10
END
run "$fake" -exp gi_hwc sh -c 'exec true'
[ "$status" -eq 0 ] && grep -q '^end	0$' sh.gi_hwc.m21 &&
	files sh.gi_hwc.m21 true.gi_hwc.e21
check $? "a command that becomes another program before its first sample"
rm -f ./*_hwc*
cp script.true script

echo "        THROTTLE events:          3  ( 5.3%)" > stats
run "$fake" -exp fcy_hwc true
err_has "stopped the counter 3 times" "throttling is told"
: > stats
run "$prof" true.fcy_hwc.m21
out_has "counter stopped by the kernel, until the next clock tick: 3 times" \
	"... and in the report"
FAKE_CMDLINE="r10kperf.cycles=unmodelled" run "$fake" -cy_hwc true
run "$prof" true.cy_hwc.m21
out_has "	cycles and seconds are the emulator's" "cycles of an emulated CPU have a note"
FAKE_CMDLINE="r10kperf.cycles=unmodelled" run "$fake" -gi_hwc true
run "$fake" -cy_hwc true
run "$prof" true.cy_hwc.m21
[ -s out ] && [ -s true.gi_hwc.m21 ] && [ -s true.cy_hwc.m21 ] &&
	! grep -q emulator out true.gi_hwc.m21 true.cy_hwc.m21
check $? "... other events and other machines none"

: > script
run "$fake" -exp gi_hwc true
status_is 125 "nothing recorded: 125"
grep -q recorded perf.true.gi_hwc.*
check $? "... and what perf has written is kept"
rm -f perf.true*
cp script.true script

# Reports

run "$fake" -exp gi_hwc true
run "$prof" true.gi_hwc.m21
sed -e 's/generated .*/generated DATE/' -e 's/^   .*\(prof.out\)/   \1/' \
	-e 's/^ *[0-9]*: Number/N: Number/' \
	-e 's/^ *[a-z0-9]*: Clock/N: Clock/' out > report
cat > expected <<'END'
-------------------------------------------------------------------------
SpeedShop profile listing generated DATE
   prof.out true.gi_hwc.m21
                     true: Target program
                   gi_hwc: Experiment name
          hwc,17,32771:cu: Marching orders
          R10000 / R10010: CPU / FPU
N: Number of CPUs
N: Clock frequency (MHz.)

Experiment notes--
	From file true.gi_hwc.m21:
	Caliper point 0 at target begin, PID 21
		true
	Caliper point 1 at target end
-------------------------------------------------------------------------
Summary of R10K perf. counter overflow PC sampling data (gi_hwc)--
                        5: Total samples
Graduated instructions (17): Counter name (number)
                    32771: Counter overflow value
                   163855: Total counts
-------------------------------------------------------------------------
Function list, in descending order by counts
-------------------------------------------------------------------------
[index]          counts      %  cum.%     samples  function (dso: file, line)

    [1]           98313  60.0%  60.0%           3  hot (true: <unknown>, 0)
    [2]           32771  20.0%  80.0%           1  cold one(int) (true: <unknown>, 0)
    [3]           32771  20.0% 100.0%           1  [unknown] ([vdso]: <unknown>, 0)
                 163855 100.0% 100.0%           5  TOTAL
END
diff expected report >> err
check $? "the report, to the letter"
[ "$status" -eq 0 ] && [ ! -s err ]
check $? "... and nothing else"

cp true.gi_hwc.m21 other
run "$prof" true.gi_hwc.m21 other
grep -q "327710 100.0% 100.0%          10  TOTAL" out &&
	grep -q "    196626  60.0%  60.0%           6  hot" out &&
	[ "$(grep -c 'From file' out)" -eq 2 ]
check $? "two files are added up"
run "$fake" -exp fgi_hwc true
run "$prof" true.gi_hwc.m21 true.fgi_hwc.m21
[ "$status" -eq 125 ] && grep -q "cannot be added up: the experiment differs" err
check $? "... but not of two experiments"
sed 's/^name.*/name	false/' true.gi_hwc.m21 > other
run "$prof" true.gi_hwc.m21 other
[ "$status" -eq 125 ] && grep -q "the program differs, true and false" err
check $? "... or of two programs"

run "$prof"
[ "$status" -eq 125 ] && grep -q "no file given" err
check $? "prof without a file: 125"
run "$prof" no-such-file
[ "$status" -eq 125 ] && grep -q "no-such-file: No such file" err
check $? "a file that is not there: 125"
run "$prof" empty.c
[ "$status" -eq 125 ] && grep -q "empty.c: not a file of ssrun" err
check $? "a file of another kind: 125"
for option in -b -butterfly -archinfo; do
	run "$prof" -lines $option true.gi_hwc.m21
	[ "$status" -eq 125 ] && grep -q "option $option is not supported: ssrun does not record" err
	check $? "prof $option is refused, with the reason"
done
run "$prof" -q 1 true.gi_hwc.m21
[ "$(grep -c '^ *\[[0-9]' out)" -eq 1 ] && grep -q "163855 100.0% 100.0%           5  TOTAL" out
check $? "prof -q 1 has one row, and the total of all"
run "$prof" -quit 25% true.gi_hwc.m21
[ "$(grep -c '^ *\[[0-9]' out)" -eq 1 ] && grep -q '\[1\].* hot ' out
check $? "prof -quit 25% leaves out rows with less"
run "$prof" -q70cum% true.gi_hwc.m21
[ "$(grep -c '^ *\[[0-9]' out)" -eq 2 ]
check $? "prof -q 70cum% has rows with 70 per cent together"
for words in "1 60cum%" "1 60%" "2 60.1cum%" "3 20%" "1 20.1%" "3 100cum%" "3 9"; do
	run "$prof" -q "${words#* }" true.gi_hwc.m21
	[ "$status" -eq 0 ] && [ "$(grep -c '^ *\[[0-9]' out)" -eq "${words% *}" ]
	check $? "prof -q ${words#* }: ${words% *} of 60, 20 and 20 per cent"
done
run "$prof" -q true.gi_hwc.m21
[ "$status" -eq 125 ] && grep -q "cum%; not 'true.gi_hwc.m21'" err
check $? "prof -q without a number says so"
for word in --quit=1 --q=1 "--quit 1" "--q 1" -q1; do
	# shellcheck disable=SC2086
	run "$prof" $word true.gi_hwc.m21
	[ "$status" -eq 0 ] && [ "$(grep -c '^ *\[[0-9]' out)" -eq 1 ]
	check $? "prof $word is -q 1"
done
for word in --q1 --quit1 --quiet; do
	run "$prof" $word 1 true.gi_hwc.m21
	[ "$status" -eq 125 ] && grep -q "unknown option $word;" err
	check $? "prof $word is no option"
done
for word in 0 -1 1.5 x '' 101% % 1e3 5cum 5%% 0% 0cum% 0x10% 1e1%; do
	run "$prof" -q "$word" true.gi_hwc.m21
	[ "$status" -eq 125 ] && [ ! -s out ] && grep -qF "10, 5%, 90cum%; not '$word'" err
	check $? "prof -q '$word' is refused"
done
run "$prof" -x true.gi_hwc.m21
[ "$status" -eq 125 ] && grep -q "unknown option -x" err
check $? "prof -x is refused"
run "$prof" --help
[ "$status" -eq 0 ] && grep -q '^Usage: prof' out && [ ! -s err ]
check $? "prof --help goes to stdout"
run "$prof" -version
out_has "prof (r10kperf) 0.1.0" "prof -version"
run sh -c "'$prof' true.gi_hwc.m21 > /dev/full"
status_is 125 "a full disk: 125"
err_has "prof: cannot write to stdout: No space left" "... and says so"
run sh -c "'$fake' -list > /dev/full"
status_is 125 "ssrun -list to a full disk: 125"
err_has "ssrun: cannot write to stdout: No space left" "... and says so"

# Damage: each line in turn is cut off, lost or nonsense
lines=$(wc -l < true.gi_hwc.m21)
good=0
: > out
for i in $(seq 1 "$lines"); do
	head -n "$((i - 1))" true.gi_hwc.m21 > damaged
	"$prof" damaged > /dev/null 2> err
	[ $? -eq 125 ] && [ "$(wc -l < err)" -eq 1 ] && good=$((good + 1))
	sed "${i}s/	.*//" true.gi_hwc.m21 > damaged
	"$prof" damaged > /dev/null 2>> out
	[ $? -eq 125 ] && good=$((good + 1))
	sed "${i}s/[0-9]/-/g" true.gi_hwc.m21 > damaged
	"$prof" damaged > /dev/null 2>> out
	[ $? -le 125 ] && good=$((good + 1))
done
[ "$good" -eq "$((3 * lines))" ] && ! grep -q Sanitizer out
check $? "damaged files are refused, or do no harm"

# Lines

cat > prog.c <<'END'
static volatile int x;
__attribute__((noinline)) void hot(void)
{
	x++;
	x += 2;
}

int main(void)
{
	hot();
	return 0;
}
END
gcc -g -O0 -no-pie prog.c -o prog
hot=$(nm prog | sed -n 's/ T hot$//p' | sed 's/^0*//')
first=$(printf '%x' $((0x$hot)))
# The second statement: as addr2line says
second=
for i in $(seq 1 40); do
	at=$(printf '%x' $((0x$hot + i)))
	if addr2line -e prog "$at" | grep -q 'prog.c:5'; then
		second=$at
		break
	fi
done
sed -e "s#/no/true#$dir/prog#" -e 's/^name.*/name	prog/' \
	-e "s/^sample	2	1180	1170/sample	2	$second	$first/" \
	-e "s/^sample	1	1184	1170/sample	1	$first	$first/" \
	true.gi_hwc.m21 > prog.gi_hwc.m21
run "$prof" -lines prog.gi_hwc.m21
sed -n '/^Function/,$p' out | grep -F hot > report
cat > expected <<'END'
    [1]           98313  60.0%  60.0%           3  hot (prog: prog.c, 3)
                  32771  20.0%  20.0%           1  hot (prog: prog.c, 3)
                  65542  40.0%  60.0%           2  hot (prog: prog.c, 5)
END
diff expected report >> err
check $? "-lines: functions and lines have their source, in its order"
run "$prof" -h -q 1 prog.gi_hwc.m21
sed -n '/^Line list, in descending order by counts/,$p' out | grep -E "hot|cold" > report
echo "                  65542  40.0%  40.0%           2  hot (prog: prog.c, 5)" |
	diff - report >> err
check $? "-heavy: the lines with most events first"
run "$prof" -l -h prog.gi_hwc.m21
[ "$(grep -c '^Line list' out)" -eq 2 ] && [ "$(grep -c "hot (prog: prog.c, 5)" out)" -eq 2 ]
check $? "-l and -h: both lists"
run "$prof" -l -q 1 prog.gi_hwc.m21
sed -n '/^Line list/,$p' out | grep -E "hot|cold" > report
echo "                  65542  40.0%  40.0%           2  hot (prog: prog.c, 5)" |
	diff - report >> err
check $? "-l -q 1: the line with most events"
{
	sed '/^sample/,$d' prog.gi_hwc.m21
	main=$(nm prog | sed -n 's/ T main$//p' | sed 's/^0*//')
	printf 'sample	%s	%s	%s	%s	%s\n' 3 "$first" "$first" "$dir/prog" hot \
		3 "$second" "$first" "$dir/prog" hot 4 "$main" "$main" "$dir/prog" main
	echo "end	10"
} > two.gi_hwc.m21
run "$prof" -l -q 2 two.gi_hwc.m21
sed -n '/^Line list/,$s/^.* \(.* (prog: .*\)/\1/p' out > report
printf '%s\n' "hot (prog: prog.c, 3)" "main (prog: prog.c, 9)" | diff - report >> err
check $? "-l -q 2: of two functions that with more events first, whichever line has most"
run "$prof" --lines "$dir/prog" prog.gi_hwc.m21
grep -q "hot (prog: prog.c, 5)" out
check $? "the executable can be given"
if chown 65533 prog 2> err; then
	run "$prof" -lines prog.gi_hwc.m21
	err_has "it belongs to another user: name it" "what another user can change is named"
	chown 0 prog
else
	skip "what another user can change is named" "only root can give it away"
fi
strip -o stripped prog
run "$prof" -lines stripped prog.gi_hwc.m21
[ "$status" -eq 0 ] && grep -q "no source lines of stripped: .*-g" err
check $? "without lines in it, that is said"
ADDR2LINE=/no/such run "$prof" -lines prog.gi_hwc.m21
[ "$status" -eq 0 ] && grep -q "addr2line is not found" err &&
	grep -q "hot (prog: <unknown>, 0)" out
check $? "without addr2line, that is said"
rm prog
run "$prof" -lines prog.gi_hwc.m21
err_has "it does not exist: name the program" "without the program, that is said"

# Pages and completion are installed

# options_of PROGRAM: those at the beginning of a line of its help
options_of()
{
	"$1" -help | sed -n 's/^  \(-[a-z, -]*\).*/\1/p' | tr ', ' '\n\n' | grep '^-[a-z]'
}

for page in ssrun.1 prof.1; do
	cmp "$pages/$page" "$stage/usr/share/man/man1/$page" > out 2> err
	check $? "$page is installed"
	for option in $(options_of "$stage/usr/bin/${page%.1}"); do
		sed 's/\\//g' "$pages/$page" > out
		grep -q -e "^.*B.* $option\b" out
		check $? "$page has $option"
	done
	bash -c ". '$stage/usr/share/bash-completion/completions/${page%.1}'
		complete -p ${page%.1}" > out 2> err
	check $? "${page%.1} has completion"
done
# shellcheck disable=SC2016 # it is bash that expands
bash -c '. "$1"; COMP_WORDS=(ssrun -exp f); COMP_CWORD=2; _ssrun
	[ "${#COMPREPLY[@]}" -eq 10 ]; echo "${COMPREPLY[*]}"' \
	- "$stage/usr/share/bash-completion/completions/ssrun" > out 2> err
[ "$(wc -w < out)" -eq 10 ]
check $? "the completion of -exp f has ten experiments"

# complete_ssrun WORD: what bash offers for it
complete_ssrun()
{
	# shellcheck disable=SC2016 # it is bash that expands
	bash -c '. "$1"; COMP_WORDS=(ssrun "$2"); COMP_CWORD=1; _ssrun
		echo "${COMPREPLY[*]}"' \
		- "$stage/usr/share/bash-completion/completions/ssrun" "$1"
}

{
	complete_ssrun -g
	complete_ssrun -ex
	complete_ssrun -fd
	complete_ssrun --g
} > out 2> err
printf '%s\n' '-gi_hwc -gfp_hwc' -exp '-fdc_hwc -fdsc_hwc' '' | diff - out >> err
check $? "... and that of an option the experiments"

# shellcheck disable=SC2016
bash -c '. "$1"; COMP_WORDS=(prof -l); COMP_CWORD=1; _prof; echo "${COMPREPLY[*]}"
	. "$2"; COMP_WORDS=(ssrun --exp prof); COMP_CWORD=2; _ssrun; echo "${COMPREPLY[*]}"' \
	- "$stage/usr/share/bash-completion/completions/prof" \
	"$stage/usr/share/bash-completion/completions/ssrun" > out 2> err
printf '%s\n' '-l -lines' prof_hwc | diff - out >> err
check $? "... that of prof -l is -l and -lines"
for p in ssrun prof; do
	options_of "$stage/usr/bin/$p"
done | sort -u | while read -r option; do
	grep -qE "[\" ]${option}([\" ]|\$)" "$stage/usr/share/bash-completion/completions/ssrun" ||
		echo "$option"
done > out
[ ! -s out ]
check $? "bash completes every option of -help"

# The real ones

PATH=$realpath
: > empty.map
if [ -e /sys/bus/event_source/devices/cpu/format/exl ]; then
	skip "no counters: 125" "this machine has R10000 counters"
else
	IRIXPERF_EVENTMAP=empty.map run "$real" -exp gi_hwc touch ran
	[ "$status" -eq 125 ] && grep -q r10kvm err && [ ! -e ran ]
	check $? "no counters: 125, r10kvm is named, nothing runs"
	IRIXPERF_EVENTMAP=empty.map run "$real" -list
	[ "$status" -eq 0 ] && grep -q "for an R10000" err
	check $? "... and -list is an R10000's"
fi

name="perf does not know the event of a map: 125, the map is named"
if IRIXPERF_EVENTMAP=$maps/software.map "$real" -exp gi_hwc true 2>&1 |
		grep -q "permission denied"; then
	skip "$name" "nothing may be counted here"
else
	: > refuse
	IRIXPERF_EVENTMAP=$maps/software.map PATH=$dir/bin:$PATH \
		run "$real" -exp gi_hwc true
	[ "$status" -eq 125 ] && grep -q "event page-faults:u" err &&
		grep -q "the event is from $maps/software.map" err
	check $? "$name"
	rm refuse
fi

cat > touch.c <<'END'
static char memory[4096 * 500];
__attribute__((noinline)) static void toucher(void)
{
	for (unsigned int i = 0; i < sizeof(memory); i += 4096)
		*(volatile char *)&memory[i] = 1;
}

int main(void)
{
	toucher();
	return 0;
}
END
name="samples of a real perf: the hot function and its line"
export IRIXPERF_EVENTMAP=$maps/software.map
gcc -g -O1 touch.c -o toucher
_SPEEDSHOP_HWC_COUNTER_OVERFLOW=1 run "$real" -exp prof_hwc ./toucher
if ! command -v perf > /dev/null; then
	skip "$name" "there is no perf here"
elif grep -q "permission denied" err; then
	skip "$name" "nothing may be counted here"
else
	run "$prof" -lines toucher.prof_hwc.m*
	grep -qE '^ +\[1\] +(49|50)[0-9] .* toucher \(toucher: touch.c, [34]\)$' out &&
		grep -qE '^ +(49|50)[0-9] .* toucher \(toucher: touch.c, 5\)$' out
	check $? "$name"
	out_has "no R10000: event 9 is page-faults:u, by " \
		"... and the report says that it is no R10000"
fi

finish
