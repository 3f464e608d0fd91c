#!/bin/bash
# The targets that follow the path, with a unit bound to each. They come and go with a cable: with their usual times
# and, with short ones, many times in a row. Nothing else moves them.
set -u
job=$(cd "$(dirname "$0")" && pwd)
. "$job/service.sh"
install_files
make_uplink
for kind in online unmetered; do
    printf '%s\n' '[Unit]' "PartOf=path-$kind.target" "After=path-$kind.target" StartLimitIntervalSec=0 \
        '[Service]' 'ExecStart=/usr/bin/sleep infinity' '[Install]' "WantedBy=path-$kind.target" \
        >/etc/systemd/system/bound-$kind.service
done
targets=(path-online.target path-unmetered.target)
bound=(bound-online.service bound-unmetered.service)
all=("${targets[@]}" "${bound[@]}")
on='active active active active' off='inactive inactive inactive inactive'
systemctl daemon-reload
systemctl enable --quiet "${bound[@]}" pathmonitord.socket pathmonitor-targets.service
systemctl start pathmonitord.socket
uptime_milliseconds() { echo $((10#$(cut -d' ' -f1 /proc/uptime | tr -d .) * 10)); }

# MARK: The times as they are
systemctl start pathmonitor-targets.service
becomes 30 'where there is a path at the start, both targets and their units are active' "$on" "${all[@]}"
pid=$(pid pathmonitor-targets.service)
is 'the driver is root without any capability' '0 0000000000000000 0000000000000000' \
    "$(awk '/^(Uid|CapEff|CapBnd):/ { print $2 }' "/proc/$pid/status" | paste -sd ' ')"
is 'and is shut in behind a filter' '1 2' \
    "$(awk '/^(NoNewPrivs|Seccomp):/ { print $2 }' "/proc/$pid/status" | paste -sd ' ')"

# takes WHAT LEAST MOST 'STATE...': how long until the units get there, in seconds.
takes() {
    local begin; begin=$(uptime_milliseconds)
    within 90 states_are "$4" "${all[@]}"
    local took=$(($(uptime_milliseconds) - begin))
    echo "# $1: $((took / 1000)).$((took % 1000 / 100)) s"
    if states_are "$4" "${all[@]}" && ((took >= $2 * 1000 && took < $3 * 1000)); then pass "$1"
    else fail "$1" "$4 after $2 to $3 s" "$(states "${all[@]}") after $took ms"; fi
}
unplug
takes 'without the path, all stop after 30 s' 30 45 "$off"
plug
takes 'with the path, all start after 2 s' 2 15 "$on"
unplug; sleep 3; plug; sleep 3
is 'a cable that is out for 3 s stops nothing' "$on" "$(states "${all[@]}")"

# MARK: Many times, with short times, and with limits of five starts unless the unit sets another
mkdir -p /etc/systemd/system.conf.d
printf '%s\n' '[Manager]' DefaultStartLimitIntervalSec=1h DefaultStartLimitBurst=5 >/etc/systemd/system.conf.d/limits.conf
grep -v StartLimit /etc/systemd/system/bound-online.service >/etc/systemd/system/bound-limited.service
# Another unit has to name them all the time, else systemd forgets a stopped unit together with the count of its starts.
printf '%s\n' '[Unit]' "After=${all[*]} bound-limited.service" '[Service]' 'ExecStart=/usr/bin/sleep infinity' \
    >/etc/systemd/system/keeper.service
systemctl daemon-reload
systemctl enable --quiet bound-limited.service
systemctl start keeper.service
is 'the limit is five starts an hour' '5 1h' \
    "$(property path-online.target StartLimitBurst) $(property path-online.target StartLimitIntervalUSec)"
drop_in pathmonitor-targets.service '[Service]' ExecStart= \
    'ExecStart=/usr/bin/pathctl targets --on-after 100ms --off-after 100ms'
since() { property "$1" ActiveEnterTimestampMonotonic; }
moments() { local unit; for unit in "${all[@]}"; do since "$unit"; done | paste -sd ' '; }
before=$(moments)
systemctl restart pathmonitor-targets.service
within 10 state_is pathmonitor-targets.service active
sleep 2
is 'a restart of the driver moves nothing' "$before" "$(moments)"
rounds=20 stopped=0 returned=0
begin=$SECONDS
for ((round = 0; round < rounds; round++)); do
    unplug
    within 20 states_are "$off" "${all[@]}" && stopped=$((stopped + 1))
    plug
    within 20 states_are "$on" "${all[@]}" && returned=$((returned + 1))
done
echo "# $rounds flaps in $((SECONDS - begin)) s"
is 'every flap stops both targets and their units' "$rounds of $rounds" "$stopped of $rounds"
is 'and starts them again' "$rounds of $rounds" "$returned of $rounds"
is 'only a unit that does not lift its start limit is refused' bound-limited.service "$(start_limits)"
systemctl disable --quiet bound-limited.service
systemctl reset-failed bound-limited.service
is 'nothing else has failed' '' "$(systemctl list-units --failed --plain --no-legend 'path*' 'bound*')"
driver=$(pid pathmonitor-targets.service)
refused=0
for ((round = 0; round < 30; round++)); do
    systemctl stop path-online.target && systemctl start path-online.target || refused=$((refused + 1))
done
is 'targets have no start limit: 30 stops and starts in a row' 0 "$refused"
is 'nor has the unit that is bound to it' active "$(state bound-online.service)"

# MARK: Each has its own path
before=$(since path-online.target)
served override set isExpensive true
becomes 20 'what is metered is online still' 'active inactive active inactive' "${all[@]}"
is 'and was so all the time' "$before" "$(since path-online.target)"
served override clear
becomes 20 'what is unmetered again has both' "$on" "${all[@]}"

# MARK: Changes that must not move them
before=$(moments)
kill -9 "$(pid)"
within 20 state_is pathmonitord.service active
served_verdict >/dev/null
systemctl restart pathmonitord.service
served_verdict >/dev/null
sleep 3
is 'a service that is killed and restarted moves nothing' "$before" "$(moments)"
systemctl stop pathmonitord.socket pathmonitord.service
unplug
sleep 6
is 'while there is no service, what is not known moves nothing' "$before" "$(moments)"
systemctl start pathmonitord.socket
becomes 20 'when it is back, its path is followed' "$off" "${all[@]}"
is 'the driver has lived through all of it' "$driver" "$(pid pathmonitor-targets.service)"
systemctl stop pathmonitor-targets.service
is 'it ends cleanly' 'success 143' \
    "$(property pathmonitor-targets.service Result) $(property pathmonitor-targets.service ExecMainStatus)"
plug
systemctl start pathmonitor-targets.service
becomes 20 'at its start the targets are brought in line' "$on" "${all[@]}"
unplug
within 20 states_are "$off" "${all[@]}"

# MARK: A target that cannot be started
systemctl mask --quiet --runtime path-unmetered.target
plug
becomes 20 'a target that is masked does not keep the other' 'active inactive active inactive' "${all[@]}"
message="'systemctl --no-block start path-unmetered.target' has failed with exit status 1; it is tried again in 1 s"
within 10 journal_has "$message" pathmonitor-targets.service
is 'the failure is told' 1 "$(journal pathmonitor-targets.service | grep -cF -- "$message")"
systemctl unmask --quiet --runtime path-unmetered.target
becomes 60 'and tried again until it succeeds' "$on" "${all[@]}"

# MARK: The examples
stand_in rclone 'exec sleep infinity'
stand_in cog 'echo "$1" >/run/kiosk-page; while :; do sleep 1; done'
install_example photo-sync.service kiosk.service kiosk-offline.service
before=$(moments)
systemctl enable --quiet photo-sync.service
is 'a unit that is enabled while its target is active does not start with that' inactive "$(state photo-sync.service)"
systemctl restart pathmonitor-targets.service
becomes 20 'it starts with a restart of the driver' active photo-sync.service
is 'which moves nothing else' "$before" "$(moments)"
systemctl start kiosk.service kiosk-offline.service
page_is() { [ "$(cat /run/kiosk-page 2>/dev/null)" = "$1" ]; }
page() { within 20 page_is "$2"; is "$1" "$2" "$(cat /run/kiosk-page)"; }
page 'the kiosk shows its page' https://www.example.org/
unplug
page 'offline it shows the other' file:///usr/local/share/kiosk/offline.html
within 20 states_are "$off" "${all[@]}"
plug
page 'and its own again' https://www.example.org/
is 'with one browser at a time' 1 "$(pgrep -fc '^/bin/sh /usr/bin/cog')"
becomes 20 'the synchronization starts with its target' active photo-sync.service
served override set isExpensive true
becomes 20 'and stops with it' inactive photo-sync.service
is 'which is no failure' success "$(property photo-sync.service Result)"
systemctl stop kiosk.service kiosk-offline.service
is 'a kiosk that is stopped has not failed' 'inactive inactive' "$(states kiosk.service kiosk-offline.service)"
journal_has 'stopping path-online.target: offline' pathmonitor-targets.service
is 'the journal has each stop with its reason' 0 $?
journal_has 'starting path-online.target: connected over wire' pathmonitor-targets.service
is 'and each start' 0 $?

# MARK: A service that fails for good
# As at a boot with a broken service: the driver has had no path yet. An emulated machine starts it less often in 30 s
# than the unit allows.
drop_in pathmonitord.service '[Unit]' StartLimitBurst=3 StartLimitIntervalSec=10min \
    '[Service]' ExecStart= ExecStart=/usr/bin/false
systemctl stop pathmonitor-targets.service
systemctl restart pathmonitord.service 2>/dev/null
systemctl start pathmonitor-targets.service
becomes 60 'a service that fails for good is given up, and its socket with it' 'failed failed' \
    pathmonitord.service pathmonitord.socket
lines=$(journal pathmonitord.service pathmonitord.socket pathmonitor-targets.service | wc -l)
driver=$(pid pathmonitor-targets.service)
sleep 30
is 'nobody starts it again, and nothing is written' "$lines" \
    "$(journal pathmonitord.service pathmonitord.socket pathmonitor-targets.service | wc -l)"
is 'the driver waits' "active $driver 0" \
    "$(state pathmonitor-targets.service) $(pid pathmonitor-targets.service) $(property pathmonitor-targets.service NRestarts)"
rm /etc/systemd/system/pathmonitord.service.d/test.conf
systemctl daemon-reload
systemctl reset-failed pathmonitord.service pathmonitord.socket
systemctl stop path-online.target
systemctl start pathmonitord.socket
becomes 30 'when its socket is back, the driver goes on' active path-online.target
is 'and is the same process' "$driver" "$(pid pathmonitor-targets.service)"
finish
