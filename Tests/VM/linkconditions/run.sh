#!/bin/bash
# The bad networks of docs/link-conditions.md, which a container's kernel may lack: the commands are those of the page.
# The delay, the rate and the loss of each link are measured and have to be within 20 % of its profile.
set -u
. "$(dirname "$0")/helpers.sh"
page=$job/docs/link-conditions.md measure=/run/measure.py
cp "$job/measure.py" $measure

modprobe -q -a veth sch_netem sch_prio cls_u32
needs 'netem' tc qdisc add dev lo root netem delay 1ms
tc qdisc del dev lo root

# The cable as the page makes it.
while read -r command; do $command || fail "(page) $command" 'no error' "status $?"; done < <(sed -n 's/^    \(ip .*\)/\1/p' "$page")
# Large packets: this machine is emulated, and cannot send many small ones.
for name in client server; do ip -n $name link set wire mtu 9000; ip -n $name link set lo up; done
near() { ip netns exec client "$@"; }
far() { ip netns exec server "$@"; }
ip netns exec server python3 $measure serve 192.0.2.1 53 7000 >/run/serving 2>&1 &
within 60 test -s /run/serving || fail 'the server begins' serving "$(cat /run/serving)"

# commands PROFILE: those of the page.
commands() { sed -n "/^    # $1\$/,/^\$/s/^    \(tc .*\)/\1/p" "$page"; }
apply() { local command; while read -r command; do $command || fail "(page) $command" 'no error' "status $?"; done < <(commands "$1"); }
clear() { for name in client server; do tc -n $name qdisc del dev wire root 2>/dev/null; done; }
# word NAMESPACE PROFILE WORD: what follows the word in the command for that end, without its unit; 0 if nothing does.
word() { local found; found=$(commands "$2" | sed -n "s/^tc -n $1 .* $3 \([0-9]*\).*/\1/p" | head -n 1); echo "${found:-0}"; }
# close_to EXPECTED GOT: within 20 %.
close_to() { awk -v expected="$1" -v got="$2" 'BEGIN { exit !(got >= 0.8 * expected && got <= 1.2 * expected) }'; }
# measures WHAT EXPECTED GOT
measures() { if close_to "$2" "$3"; then pass "$1: $3 for $2"; else fail "$1" "$2, within 20 %" "$3"; fi; }

for profile in 3g edge lte dsl wifi very-bad; do
    apply $profile
    up=$(word client $profile rate) down=$(word server $profile rate)
    # A packet of 47 bytes, with its headers, also takes the time that the rate gives it.
    trip=$(awk -v a="$(word client $profile delay)" -v b="$(word server $profile delay)" -v up="$up" -v down="$down" \
        'BEGIN { print a + b + 47 * 8 / up + 47 * 8 / down }')
    measured_trip=$({ near python3 $measure delay 192.0.2.1 7000; far python3 $measure delay 192.0.2.2 7000; } |
        awk '{ sum += $1 } END { if (NR == 2) print sum; else print "none" }')
    size=1400; ((up > 5000)) && size=8900
    # The mean of 2,000 tells a loss of 8 % from one of 10 %. So few in a second fit into every queue.
    count=100 often=40; (($(word client $profile loss))) && count=2000 often=80
    read -r measured_down measured_up down_loss up_loss < <(
        near python3 $measure datagrams 192.0.2.1 7000 3 "$down" "$up" $size $count $often 2>&1)
    measures "$profile: delay there and back in ms" "$trip" "$measured_trip"
    measures "$profile: kbit/s to the client" "$down" "$measured_down"
    measures "$profile: kbit/s from the client" "$up" "$measured_up"
    if (($(word client $profile loss))); then
        measures "$profile: loss to the client in %" "$(word server $profile loss)" "$down_loss"
        measures "$profile: loss from the client in %" "$(word client $profile loss)" "$up_loss"
    else
        is "$profile: nothing is lost" '0.00 0.00' "$down_loss $up_loss"
    fi
    is "$profile: the path is connected all the same" satisfied "$(near $pathctl status --json --direct | jq -r .status)"
    clear
done

apply high-latency-dns
measures 'high-latency-dns: a name server answers after, in ms' "$(word server high-latency-dns delay)" \
    "$(near python3 $measure echo 192.0.2.1 53)"
other=$(near python3 $measure echo 192.0.2.1 7000)
if awk -v got="$other" 'BEGIN { exit !(got < 300) }'; then pass "high-latency-dns: others answer after $other ms"
else fail 'high-latency-dns: others are not delayed' 'less than 300 ms' "$other"; fi
clear

apply complete-loss
is 'complete-loss: nothing arrives' none "$(near python3 $measure echo 192.0.2.1 7000)"
is 'complete-loss: the path is connected all the same' satisfied "$(near $pathctl status --json --direct | jq -r .status)"
clear
if [ "$(near python3 $measure echo 192.0.2.1 7000)" != none ]; then pass 'without a profile, packets arrive again'
else fail 'without a profile, packets arrive again' 'an answer' none; fi
ip netns delete client; ip netns delete server
finish
