#!/bin/bash
# The recorder through real suspends: systemd suspends the machine to memory (S3), and its hardware clock wakes it.
set -u
# The driver of the host's folders does not live through a suspend. The job runs from a copy, and leaves them meanwhile.
job=/root/job
if [ "$0" != $job/run.sh ]; then
    cp -r "$(dirname "$0")" $job && exec $job/run.sh
fi
. "$job/service.sh"
. "$job/recorder.sh"
. "$job/connections.sh"
alarm=/sys/class/rtc/rtc0/wakealarm hook=/usr/lib/systemd/system-sleep/suspend counts=/sys/power/suspend_stats
needs 'suspend to memory (S3)' grep -qw deep /sys/power/mem_sleep
needs 'hardware clock that wakes it' test -w $alarm
install_recorder
make_uplink

# MARK: The machine asleep

# join_shares: mounts the host's folders as they were before the job.
join_shares() {
    modprobe 9pnet_virtio
    mount -t 9p -o trans=virtio,version=9p2000.L,ro job /mnt/job
    mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000 out /mnt/out
}
umount /mnt/job /mnt/out && modprobe -r 9pnet_virtio || { fail "the host's folders can be left" 'no error' $?; finish; }
trap join_shares EXIT

# QEMU's firmware leaves the ports of power management unset after a wake-up (PMBASE and ACPI_CNTL of the ICH9), where
# that of a real machine sets them. Without them the next suspend returns at once, and the machine cannot power off.
bridge=/sys/bus/pci/devices/0000:00:1f.0/config
ports() { dd bs=8 count=1 status=none "$@"; }
ports if=$bridge skip=8 of=/run/ports

# awake: the microseconds since the boot without suspends.
awake() { python3 -c 'import time; print(time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000)'; }
# asleep: the microseconds of all suspends since the boot. Of many readings of both clocks, the quickest counts.
asleep() {
    python3 -c '
from time import clock_gettime_ns, CLOCK_BOOTTIME, CLOCK_MONOTONIC
clocks = (CLOCK_MONOTONIC, CLOCK_BOOTTIME, CLOCK_MONOTONIC)
readings = ([clock_gettime_ns(clock) for clock in clocks] for _ in range(100))
before, boottime, after = min(readings, key=lambda reading: reading[2] - reading[0])
print((boottime - before) // 1000)'
}

# suspend SECONDS COMMAND...: as a lid or a menu has it done. The commands run when systemd announces it. Sets slept,
# its microseconds by the clocks of the kernel.
suspends=0
suspend() {
    local before; before=$(asleep)
    printf '%s\n' '#!/bin/sh' '[ "$1" = pre ] || exit 0' "${@:2}" "echo 0 >$alarm" "echo +$1 >$alarm" >$hook
    chmod 755 $hook
    suspends=$((suspends + 1))
    systemctl suspend
    within 120 has_woken
    ports if=/run/ports of=$bridge seek=8 conv=notrunc
    slept=$(($(asleep) - before))
    is "the machine sleeps until its clock wakes it after $1 s" "$suspends 0 1" \
        "$(<$counts/success) $(<$counts/fail) $((slept > 1000000))"
}
has_woken() { [ "$(<$counts/success)" = $suspends ] && state_is systemd-suspend.service inactive; }

# equals WHAT EXPECTED GOT: the same microseconds, but for the time between two readings of clocks.
equals() {
    local difference=$(($3 - $2))
    if ((${difference#-} < 10000)); then pass "$1"; else fail "$1" "$2 µs" "$3 µs"; fi
}

# hold_verdict: reports as the validator does that the Internet answers.
hold_verdict() {
    local parameters; parameters=$(jq -nc '{interface: "wire", gateways: ["192.0.2.1"], validation: {
        state: "validated", evidence: [{source: "host", verdict: "validated", family: null, when: 1, text: "a host"}]}}')
    { printf '{"method":"io.pathmonitor.PathMonitor.ReportValidation","more":true,"parameters":%s}\0' "$parameters"
        sleep 600; } | socat - UNIX-CONNECT:/run/pathmonitor/io.pathmonitor.PathMonitor >/dev/null 2>&1 & reporter=$!
    within 20 pathctl check validated >/dev/null
}
validation() { pathctl status --json | jq -r .validation.state; }

# MARK: Asleep with a path
start_service
hold_verdict
is 'a verdict is published' validated "$(validation)"
systemctl start $unit
becomes 30 'the recorder runs' active $unit
within 20 past_is '.connectedMicroseconds > 0' true
processes="$(pid) $(pid $unit)"
unwatched=$(past .notWatchedMicroseconds)

suspend 12
within 2 eval '! pathctl check validated >/dev/null 2>&1'
is 'after the wake-up it is of another time' unknown "$(validation)"
kill $reporter
within 20 past_is '.suspendedMicroseconds > 0' true
equals "the recorder has the kernel's time asleep" "$slept" "$(past .suspendedMicroseconds)"
is 'it is neither an outage nor time without a watch' "0 0 $unwatched" \
    "$(past '"\(.outageCount) \(.offlineMicroseconds) \(.notWatchedMicroseconds)"')"

# MARK: Asleep a second after the path was lost
# Managers of networks disconnect when systemd announces a suspend. Here the cable goes, and a second later the machine.
earlier=$slept began=$(awake)
suspend 30 'ip -n far link set wire-far down' 'sleep 1'
within 20 past_is '.outages[0].ending' suspended
outage=$(past '.outages[0].durationMicroseconds') limit=$(($(awake) - began))
equals "the recorder has the kernel's longer time asleep, too" $((earlier + slept)) "$(past .suspendedMicroseconds)"
is 'the loss is an outage, which the suspend ends' 'noCarrier suspended wire' \
    "$(past '.outages[0] | "\(.cause) \(.ending) \(.lost.interface)"')"
is 'it has lasted its second, and no longer than the machine was awake' true \
    "$(jq -n "$outage >= 1000000 and $outage < $limit")"
echo "# an outage of $outage µs, then asleep for $slept µs"

# MARK: The path comes back some time after the wake-up
plug
within 20 past_is '.outages[-1].ending' connected
limit=$(($(awake) - began))
is 'until the path is back, a second outage lasts' '2 connected wire' \
    "$(past '"\(.outageCount) \(.outages[-1].ending) \(.outages[-1].back.interface)"')"
is 'no time asleep is downtime' true "$(past ".offlineMicroseconds < $limit")"
is 'no time asleep is time without a watch' "$unwatched" "$(past .notWatchedMicroseconds)"
is 'the metrics have the same downtime' "$(past '.offlineMicroseconds / 1000000')" \
    "$(pathctl metrics | sed -n 's/^pathmonitor_unsatisfied_seconds_total{reason="noCarrier"} //p')"
is 'the records are these' 'connected suspended connected offline suspended offline connected' \
    "$(pathctl history --csv --since 1h | awk -F, 'NR > 1 { print $6 }' | uniq | paste -sd ' ')"
is 'service and recorder are the same processes' "$processes" "$(pid) $(pid $unit)"

# MARK: Connections whose address goes with the suspend
# Managers of networks take the address away when systemd announces a suspend, and get one again after it.
install_ender
systemctl start $ender
becomes 30 'the unit that ends connections runs' active $ender
serve far
for name in same other; do
    waiting "$name"
    suspend 10 'ip addr del 192.0.2.2/24 dev wire'
    [ "$name" = same ] && address=192.0.2.2 || address=192.0.2.3
    ip addr add $address/24 dev wire
    ip route replace default via 192.0.2.1 dev wire
    # The time asleep is no time for which the address was away: only the grace after it counts.
    within 20 grep -q ECONNABORTED "/run/$name.txt"
    case $name in
    same) is 'the connection of an address that is back is untouched' connected "$(paste -sd ' ' /run/same.txt)" ;;
    other)
        is 'that of an address that stays away gets an error' 'connected ECONNABORTED' \
            "$(paste -sd ' ' /run/other.txt | cut -d' ' -f1,2)" ;;
    esac
done
finish
