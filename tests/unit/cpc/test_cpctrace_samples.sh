#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What cpctrace makes of perf's samples, on machines with fake counters, a real holder, and
# a fake perf. With perf itself: accept:cpctrace.
#
# shellcheck disable=SC2016 # programs of D have $ in apostrophes
#
# usage: test_cpctrace_samples.sh STAGE BUILD MAPS

# shellcheck source=tests/unit/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
build=$2
examples=$(cd "$(dirname "$0")/../../../tools/cpc/examples" && pwd)

if [ "$(id -u)" -ne 0 ]; then
	skip "samples" "only root has a place for them"
	finish
fi

IRIXPERF_HOLDER=$build/fake-holder
PATH=$PWD:$PATH
export IRIXPERF_HOLDER PATH
v34="R10000 V3.4  FPU V0.0"
r12k="R12000 V3.5  FPU V0.0"

# Each part of ./samples, which "--" ends, is what perf script finds in a file of perf record.
# In lines with "|" there are its samples, and behind that their stacks
cat > perf <<'END'
#!/usr/bin/python3
import os, signal, sys

def option(name):
    return sys.argv[sys.argv.index(name) + 1]

if sys.argv[1] == "script":
    if "PERF_WAITS" in os.environ:
        open("waits", "w", encoding="utf-8").close()
        signal.pause()
    stacks = option("-F").startswith("tid")
    for line in open(option("-i"), encoding="utf-8"):
        sample, bar, stack = line.partition("|")
        print(stack.replace("|", "\n").rstrip("\n") + "\n" if stacks else sample.rstrip("\n"))
    sys.exit(int(os.environ.get("PERF_SCRIPT", 0)))
if sys.argv[1] == "report":
    print("      THROTTLE events: %s  ( 5.3%%)" % os.environ.get("PERF_THROTTLED", 0))
    sys.exit()
data = option("-o")
print(" ".join(sys.argv[1:]).replace(data, "DATA"), file=open("record", "w", encoding="utf-8"))
if "PERF_FAILS" in os.environ:
    sys.exit(3)
signals = {signal.SIGINT, signal.SIGTERM, signal.SIGUSR2}
signal.pthread_sigmask(signal.SIG_BLOCK, signals)
command, answer = map(int, option("--control")[3:].split(","))
assert os.read(command, 100) == b"enable\n"
os.write(answer, b"ack\n\0")
if "PERF_ENDS" in os.environ:
    sys.exit(4)
assert "--switch-output=signal" in sys.argv
with open(data, "wb") as file:
    file.truncate(int(os.environ.get("PERF_LARGE", 0)) << 20)
parts = open("samples", encoding="utf-8").read().split("--\n")
taken = None
nr = 0
while taken not in (signal.SIGINT, signal.SIGTERM):
    taken = signal.sigwait(signals)
    with open(data, "w", encoding="utf-8") as file:
        file.write(parts[nr] if nr < len(parts) else "")
    os.rename(data, data + ".%d" % nr)
    nr += 1
    if taken == signal.SIGUSR2:
        open("switched", "w", encoding="utf-8").close()
        assert os.read(command, 100) == b"ping\n"
        os.write(answer, b"ack\n\0")
print(taken.name, file=open("ended", "w", encoding="utf-8"))
sys.exit(int(os.environ.get("PERF_RECORD", 0)))
END
chmod 755 perf

# on MODEL ARG...: run cpctrace on a fake machine, with its output in ./out and ./err
on()
{
	model=$1
	shift
	rm -f record ended switched
	FAKE_UID=0 run timeout 300 "$build/fake-machine" "$model" 1000000 1000000 \
		"$build/cpctrace-fake" "$@"
}

# says NAME: the output is the standard input
says()
{
	cp out log
	golden "$1"
}

cat > samples <<'END'
        wl-split    22/23    [001]     3.565468962: cpcprobe0:         1200012ac thread_work+0x5c (/usr/bin/wl-split)
  a name (x) 1/2    24/24    [000]     3.600000001: cpcprobe0:  ffffffff80101234 do_work+0x10 ([kernel.kallsyms])
        wl-split    22/22    [000]     3.700000000: cpcprobe0:  ffffffffc0001000 ext4_read+0x4 ([ext4])
        wl-split    22/22    [000]     3.800000000: cpcprobe0:            400100 [unknown] ([unknown])
END
on "$v34" -q -c true -n 'cpc:::15-all-5000 {
	printf("%s %d/%d %d %d %x %x %d %s\n", execname, pid, tid, cpu, timestamp, arg0, arg1, arg2, probename);
	printf("%s %s %s %s\n", func(arg0), ufunc(arg1), sym(arg0), usym(arg1)); }'
says "execname, pid, tid, cpu, timestamp, arguments, functions" <<'END'
wl-split 22/23 1 3565468962 0 1200012ac 0 15-all-5000
0x0 wl-split`thread_work 0x0 wl-split`thread_work+0x5c
a name (x) 1/2 24/24 0 3600000001 ffffffff80101234 0 0 15-all-5000
vmlinux`do_work 0x0 vmlinux`do_work+0x10 0x0
wl-split 22/22 0 3700000000 ffffffffc0001000 0 0 15-all-5000
ext4`ext4_read 0x0 ext4`ext4_read+0x4 0x0
wl-split 22/22 0 3800000000 0 400100 0 15-all-5000
0x0 0x400100 0x0 0x400100
END
[ "$status" -eq 0 ] && [ ! -s err ] && grep -qx "SIGINT" ended
check $? "nothing else is said, and perf is told to end"
grep -qx -e 'record -q -B -N -a -D -1 -k mono --switch-output=signal -o DATA --control fd:[0-9]*,[0-9]* -e cpu/event=0xf,period=5000,name=cpcprobe0/D' record
check $? "perf has the event"

probe=cpc:::15-all-5000
on "$v34" -n "$probe { @[execname, pid] = count(); @here[func(arg0)] = count(); } $probe /arg1 != 0/ { @user = count(); }" -c true
says "aggregations are printed at the end" <<'END'

  a name (x) 1/2                                                   24                1
  wl-split                                                         22                3

  ext4`ext4_read                                                    1
  vmlinux`do_work                                                   1
  0x0                                                               2

                2
END
grep -qx "cpctrace: description 'cpc:::15-all-5000 ' matched 1 probe" err
check $? "what has matched"

on "$v34" -c true -n 'cpc:::15-all-5000 /pid == 24/'
says "a clause without a body prints the probe" <<'END'
CPU     ID                    FUNCTION:NAME
  0      1                     :15-all-5000 
END
on "$v34" -q -c true -n 'cpc:::15-all-5000 { printf("%d\n", tid); exit(3); } END { printf("end\n"); }'
says "exit() in a clause of cpc: no later sample is looked at" <<'END'
23
end
END
status_is 3 "and it decides the status"

# The first one has no stack, the third one does not begin where the probe has fired
cat > samples <<'END'
        wl-split    22/23    [001]     3.565468962: cpcprobe0:         120001234 leaf+0x4 (/usr/bin/wl-split)|     23     3.565468962: 
        wl-split    22/23    [001]     3.565468963: cpcprobe0:         120001234 leaf+0x4 (/usr/bin/wl-split)|     23     3.565468963: |	       120001234 leaf+0x4 (/usr/bin/wl-split)|	       120001300 main+0x20 (/usr/bin/wl-split)
         swapper     0/0     [000]     3.600000000: cpcprobe1:  ffffffff80101234 idle+0x8 ([kernel.kallsyms])|      0     3.600000000: |	ffffffff80101300 start+0x10 ([kernel.kallsyms])
END
on "$r12k" -q -c true -n 'cpc:::tlb_misses-user-5000, cpc:::tlb_misses-kernel-7000 {
	@u[ustack(1)] = count(); @k[stack()] = count(); @a[ustack()] = count(); }
	END { printa("%s|%@d\n", @a); printa("%@d\n%s", @k); }'
says "stacks" <<'END'

|1
              wl-split`leaf+0x4
|1
              wl-split`leaf+0x4
              wl-split`main+0x20
|1
1
              vmlinux`idle+0x8
              vmlinux`start+0x10
2




                1

              wl-split`leaf+0x4
                2
END
grep -q -e '--call-graph fp -e cpu/event=0x17,period=5000,name=cpcprobe0/uD -e cpu/event=0x17,period=7000,name=cpcprobe1/kD$' record
check $? "an R12000 has one event in two modes"

cat > samples <<'END'
        wl-split    22/23    [001]     3.565468962: PERF_RECORD_LOST lost 17
        wl-split    22/23    [001]     3.565468962: PERF_RECORD_LOST lost 3
END
printf '     wl-\033[31mred    22/23    [001]     3.565468963: cpcprobe0:         1200012ac f\033+0x5c (/usr/bin/\007x)\n' >> samples
PERF_THROTTLED=41
export PERF_THROTTLED
on "$v34" -q -c true -n 'cpc:::15-user-5000 { printf("%s %s\n", execname, ufunc(arg1)); }'
unset PERF_THROTTLED
says "names control no terminal" <<'END'
wl-?[31mred ?x`f?
END
grep -qx "cpctrace: 20 drops: perf could not keep up with the samples" err &&
	grep -q "has stopped a counter 41 times" err
check $? "samples that were lost are reported, and counters that were stopped"

# What perf has recorded twice, and what is no sample
cat > samples <<'END'
            true     1/1     [000]     1.000000000: cpcprobe0:            400100 a+0x0 (/bin/true)
            true     1/1     [000]     1.000000000: cpcprobe0:            400100 a+0x0 (/bin/true)
            true     1/1     [001]     1.000000000: cpcprobe0:            400100 a+0x0 (/bin/true (deleted))
            true     1/1     [000]     1.000000000: cpcprobe0:            400100 a+0x0 (/bin/true)
            true     1/1     [000]     1.000000000: PERF_RECORD_LOST lost 4
            true     1/1     [000]     1.000000000: PERF_RECORD_LOST lost 4
               a
b     2/2     [000]     1.000000000: cpcprobe0:            400100 a+0x0 (/bin/true)
END
on "$v34" -q -c true -n 'cpc:::15-user-5000 { @[cpu, ufunc(arg1)] = count(); }'
says "what perf records twice counts once" <<'END'

                0  true`a                                                            1
                1  true`a                                                            1
END
grep -qx "cpctrace: 4 drops: .*" err && grep -q "2 lines of perf script are no samples" err
check $? "who hides by a name with a new line is noticed"

# The first signal waits for perf script, which waits for ever
: > samples
rm -f waits
PERF_WAITS=1 FAKE_UID=0 "$build/fake-machine" "$v34" 1000000 1000000 sh -c 'echo $$ > pid
	exec "$0" -q -n "cpc:::15-user-5000 { } tick-100ms { @ = count(); }"' \
	"$build/cpctrace-fake" > out 2> err & machine=$!
timeout 60 sh -c 'until [ -e waits ]; do :; done'
trace=$(cat pid)
kill -TERM "$trace"
# Until SIGTERM, whose bit is 4000, has no handler
timeout 60 sh -c "while grep -q 'SigCgt:.*[4-7c-f]...$' /proc/$trace/status; do :; done"
kill -TERM "$trace"
second=$?
wait $machine
status=$?
timeout 60 sh -c "while pgrep -f '^/usr/bin/python3 $PWD/perf '; do :; done" > pids
# The fake machine's status if a signal has ended the command
[ $? -eq 0 ] && [ $second -eq 0 ] && [ $status -eq 125 ]
check $? "a second signal ends cpctrace at once, and perf with it"

# Samples are among the records; what tells of them may have no time
cat > samples <<'END'
            true     1/1     [000]     1.000000000: PERF_RECORD_LOST lost 9
             :-1    -1/-1    [-01] PERF_RECORD_LOST_SAMPLES lost 8
END
on "$v34" -q -c true -n 'cpc:::15-user-5000 { }'
grep -qx "cpctrace: 8 drops: .*" err && ! grep -q "no samples" err
check $? "lost samples are not counted again as lost records"

# Each tick sees what came before it, the third one the end
cat > samples <<'END'
            true     1/1     [000]     1.000000000: cpcprobe1:            400100 a+0x0 (/bin/true)
--
            true     1/1     [000]     2.000000000: cpcprobe1:            400100 b+0x0 (/bin/true)
            true     1/1     [000]     2.000000001: cpcprobe1:            400100 b+0x0 (/bin/true)
--
            true     1/1     [000]     3.000000000: cpcprobe1:            400100 c+0x0 (/bin/true)
END
: > empty
on "$v34" -q -n 'cpc:::tlb_misses-user-5000 { }
	cpc:::15-user-5000 { @f[ufunc(arg1)] = count(); }
	cpc:::15-user-5000 /ufunc(arg1) == "true`b"/ { @b = count(); }
	cpc:::15-user-5000 /ufunc(arg1) == "true`c"/ { exit(0); }
	tick-100ms { printf("tick\n"); printa("%s %@d\n", @f); printa("%@d\n", @b); }' -c "tail -f $PWD/empty"
says "ticks print what was before them" <<'END'
tick
true`a 1
tick
true`a 1
true`b 2
2
END
status_is 0 "exit() in a clause of cpc decides the status"
timeout 60 sh -c "while pgrep -f '^tail -f $PWD/empty$'; do :; done" > pids
check $? "and ends a command that still runs"

# fails VARIABLE=VALUE TEXT COMMAND NAME: perf does what the variable says; status 1, and the text
fails()
{
	export "${1?}"
	on "$v34" -q -n 'BEGIN { printf("begin"); } cpc:::15-user-5000 { }' -c "$3"
	unset "${1%%=*}"
	[ "$status" -eq 1 ] && grep -q "$2" err
	check $? "$4"
}

fails PERF_FAILS=1 "perf, which takes the samples, has ended with status 3" "touch ran" "perf does not start"
[ ! -s out ] && [ ! -e ran ]
check $? "neither does the program, nor the command"
fails PERF_ENDS=1 "has ended with status 4" "tail -f $PWD/empty" "perf ends by itself"
fails PERF_SCRIPT=1 "perf's file cannot be read" true "perf's file cannot be read"
fails PERF_RECORD=5 "has ended with status 5" true "perf fails at its end"

# 65 MiB are read while the command runs: it ends when perf has been told to begin another file
cat > samples <<'END'
            true     1/1     [000]     1.000000000: cpcprobe0:            400100 a+0x0 (/bin/true)
--
            true     1/1     [000]     2.000000000: cpcprobe0:            400100 a+0x0 (/bin/true)
END
printf 'until [ -e switched ]; do sleep 0.1; done\n' > until
PERF_LARGE=65
export PERF_LARGE
on "$v34" -q -c "sh until" -n 'cpc:::15-user-5000 { @[ufunc(arg1)] = count(); }'
unset PERF_LARGE
says "what is large is read before the end, and nothing of it counts twice" <<'END'

  true`a                                                            2
END
mkdir nothing
FAKE_UID=0 run "$build/fake-machine" "$v34" 1 1 env PATH="$PWD/nothing" "$build/cpctrace-fake" \
	-n cpc:::15-user-5000
[ "$status" -eq 1 ] && grep -q "perf, which takes the samples, is not found" err
check $? "there is no perf"

# What has no room is refused before perf starts
refused()
{
	on "$1" -q -n "$3"
	[ "$status" -eq 1 ] && grep -q "this CPU cannot count all these events at once" err && [ ! -e record ]
	check $? "$2"
}

refused "$v34" "cpc.3.08: R10000: two probes of one counter do not fit" \
	'cpc:::l1i_misses-user-5000,cpc:::l2_instruction_misses-user-5000 { }'
refused "$v34" "R10000: an event has one counter" \
	'cpc:::tlb_misses-user-5000, cpc:::tlb_misses-kernel-5000'
for model in "$v34" "$r12k"; do
	refused "$model" "cpc.3.09: ${model%% *}: three probes do not fit two counters" \
		'cpc:::l1i_misses-user-5000,cpc:::l1d_misses-user-5000,cpc:::tlb_misses-user-5000 { }'
done
on "$v34" -q -c true -n 'cpc:::cycles-user-5000, cpc:::l1i_misses-user-5000'
grep -q "event=0x10,.*event=0x9," record
check $? "R10000: an event that both counters count leaves the other event its own"

on "$v34" -q -n 'cpc:::15-user-5000 { @ = count(); } tick-100ms { printa(@); }' -o /dev/full
[ "$status" -eq 1 ] && grep -q "cannot write the output" err
check $? "output that cannot be written ends it"
for example in "$examples"/*.d; do
	on "$v34" -s "$example" -c true
	[ "$status" -eq 0 ] && grep -q "matched [12] probe" err && [ -s record ]
	check $? "example ${example##*/} runs"
done
finish
