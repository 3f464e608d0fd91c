#!/bin/bash
# Programs in /etc/pathmonitor/hooks.d under systemd. They run as root within the limits of their unit, for the first
# path and for each change. Only files that root alone can change are run.
set -u
job=$(cd "$(dirname "$0")" && pwd)
. "$job/service.sh"
install_files
make_uplink
unit=pathmonitor-hooks.service
hooks=/etc/pathmonitor/hooks.d
record=/var/lib/hooks-record

# hook NAME LINE...
hook() {
    local name=$1; shift
    printf '%s\n' '#!/bin/sh' "$@" >$hooks/"$name"
    chmod 755 $hooks/"$name"
}
recorded() { cat $record 2>/dev/null | paste -sd ' '; }
record_is() { [ "$(recorded)" = "$1" ]; }
# records SECONDS WHAT RECORD
records() {
    within "$1" record_is "$3"
    is "$2" "$3" "$(recorded)"
}

is 'the unit is not enabled by itself' disabled "$(systemctl is-enabled $unit)"
start_service
systemctl start $unit
becomes 30 'it runs without its directory' active $unit
systemctl stop $unit
is 'it ends as it should when it is stopped' 'inactive success' "$(state $unit) $(property $unit Result)"

mkdir -p $hooks
# A service that is away for 2 s, as on a busy machine, leaves a path that is stale: that alone is no other path.
hook 10-record '[ "$PATH_CHANGED" = knowledge ] ||' "echo \"\$PATH_FORMER_STATUS>\$PATH_STATUS\" >>$record"
hook 20-units 'case $PATH_STATUS in satisfied) systemctl start hooked.service;; *) systemctl stop hooked.service;; esac'
hook 30-limits 'echo "$(id -u) $(awk '"'"'/^(NoNewPrivs|Seccomp):/ { print $2 }'"'"' /proc/self/status | paste -sd " ")" >/run/hooks-limits' \
    'touch /usr/hooks-were-here 2>/run/hooks-usr; ls /root >/run/hooks-home 2>&1' \
    'ip link add hooked type dummy 2>/dev/null; ip link show hooked >/dev/null && echo yes >/run/hooks-link'
hook 40-writable 'echo never >/run/hooks-writable'
chmod 775 $hooks/40-writable
printf '%s\n' '[Service]' 'ExecStart=/usr/bin/sleep infinity' >/etc/systemd/system/hooked.service
systemctl daemon-reload
systemctl start $unit
records 30 'a program is run for the path as it is' '>satisfied'
becomes 30 'it can start a unit' active hooked.service
unplug
records 30 'and for each change, with the former value' '>satisfied satisfied>unsatisfied'
becomes 30 'it can stop a unit' inactive hooked.service
plug
records 30 'back again' '>satisfied satisfied>unsatisfied unsatisfied>satisfied'
within 10 test -s /run/hooks-link
is 'programs are root, without new privileges, behind a filter' '0 1 2' "$(cat /run/hooks-limits)"
is 'they cannot change programs' no "$([ -e /usr/hooks-were-here ] && echo yes || echo no)"
is 'they cannot read home directories' no "$(grep -q . /run/hooks-home && ! grep -qi denied /run/hooks-home && echo yes || echo no)"
is 'they can set up the network' yes "$(cat /run/hooks-link)"
is 'a file that its group may change is not run' no "$([ -e /run/hooks-writable ] && echo yes || echo no)"
is 'and the journal says why, once' 1 \
    "$(journal $unit | grep -c '40-writable is not run: it may be changed by others than its owner')"

# MARK: The service restarts, and so does this
before=$(recorded)
systemctl restart pathmonitord.service
unplug
records 30 'a restart of the service is no change, and the next one is followed' "$before satisfied>unsatisfied"
plug
records 30 'and back' "$before satisfied>unsatisfied unsatisfied>satisfied"
drop_in $unit '[Service]' ExecStart= 'ExecStart=/usr/bin/pathctl hooks --timeout 1s'
hook 05-slow 'sleep 1000'
systemctl restart $unit
records 40 'a program that takes too long keeps the others waiting only so long' \
    "$before satisfied>unsatisfied unsatisfied>satisfied >satisfied"
is 'nothing of it is left' '' "$(pgrep -f 'sleep 1000')"
finish
