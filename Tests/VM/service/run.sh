#!/bin/bash
# The units of the service: systemd reports no mistake in them, they are sandboxed, and the socket starts the service at
# the first call.
set -u
job=$(cd "$(dirname "$0")" && pwd)
. "$job/service.sh"
install_files
make_uplink

# MARK: The units as they are written
units=(pathmonitord.socket pathmonitord.service pathmonitor-targets.service path-online.target path-unmetered.target path-validated.target)
is 'systemd-analyze verify has nothing to say of the units' '' "$(systemd-analyze verify --man=no "${units[@]}" 2>&1)"
for name in restic rclone cog; do stand_in $name 'exec sleep infinity'; done
examples=(); for file in "$job"/systemd/examples/*.{service,timer}; do examples+=("$(basename "$file")"); done
install_example "${examples[@]}"
is 'nor of the examples' '' "$(systemd-analyze verify --man=no "${examples[@]}" 2>&1)"

# exposure WHAT UNIT LIMIT
exposure() {
    local figure
    figure=$(systemd-analyze security --no-pager "$2" | sed -n 's/.*Overall exposure level for [^:]*: \([0-9.]*\).*/\1/p')
    echo "# exposure of $2: $figure"
    if awk -v figure="$figure" -v limit="$3" 'BEGIN { exit !(figure != "" && figure <= limit) }'; then pass "$1"
    else fail "$1" "$3 at most" "$figure"; fi
}
systemctl enable --quiet --now pathmonitord.socket
is 'the socket can be enabled: it listens' active "$(state pathmonitord.socket)"
is 'and the service does not run yet' inactive "$(state pathmonitord.service)"
is 'the socket is of the next boot too' "$(readlink -f /usr/lib/systemd/system/pathmonitord.socket)" \
    "$(readlink -f /etc/systemd/system/sockets.target.wants/pathmonitord.socket)"
is 'everybody may connect, and only root may replace the socket' \
    '755 root root /run/pathmonitor 666 root root /run/pathmonitor/io.pathmonitor.PathMonitor' \
    "$(stat -c '%a %U %G %n' /run/pathmonitor /run/pathmonitor/* | paste -sd ' ')"

# MARK: The first question
answer=$(as nobody pathctl status --json 2>/run/errors); status=$?
is 'the first pathctl, of any user, is answered' '0 satisfied wiredEthernet' "$status $(jq -rc "$verdict" <<<"$answer")"
echo "# by the $(if [ -s /run/errors ]; then echo 'kernel, as the start took longer than 2 s'; else echo service; fi)"
becomes 60 'and has started the service' active pathmonitord.service
answer=$(as nobody pathctl status --json 2>/run/errors); status=$?
is 'which answers the next, without a note' '0 satisfied wiredEthernet' \
    "$status $(jq -rc "$verdict" <<<"$answer")$(cat /run/errors)"
is 'and says so with the path' 'connected over wire' "$(property pathmonitord.service StatusText | cut -d' ' -f1-3)"

# MARK: The sandbox
exposure 'the service is hardly exposed' pathmonitord.service 1.0
exposure 'nor is what drives the targets' pathmonitor-targets.service 1.0
exposure 'nor is the recorder' pathmonitor-history.service 1.0
pid=$(pid)
# of FIELD: from the status of the process.
of() { awk -v field="$1:" '$1 == field { $1 = ""; print substr($0, 2) }' "/proc/$pid/status"; }
is 'it runs as a user of its own' pathmonitord "$(ps -o user:32= -p "$pid")"
user=$(of Uid | cut -d' ' -f1)
if ((user > 0 && user < 1000)); then pass 'which is one of the system'
else fail 'which is one of the system' '1...999' "$user"; fi
for set in CapInh CapPrm CapEff CapBnd CapAmb; do is "it has no capability in $set" 0000000000000000 "$(of $set)"; done
is 'nor can it gain any' 1 "$(of NoNewPrivs)"
is 'a filter is on its system calls' 2 "$(of Seccomp)"
is 'it may hold 16,384 clients and what it opens for itself' 16896 \
    "$(awk '/^Max open files/ { print $4 }' "/proc/$pid/limits")"
echo "# memory of the service: $(served health --json | jq .health.memoryBytes) bytes"

# MARK: The view from the sandbox
unplug
within 10 served_verdict_is 'unsatisfied linkDownRoute' || within 1 served_verdict_is 'unsatisfied noCarrier'
is 'it sees links, routes and devices from inside' "$(path "$verdict")" "$(served_verdict)"
plug
within 10 served_verdict_is 'satisfied wiredEthernet'
is 'and all of the path is what the kernel says to root outside' "$(path "$same" | jq -Sc .)" \
    "$(served status --json | jq -Sc "$same")"
journalctl --sync
is 'each change is an entry in the journal, with its fields' unsatisfied \
    "$(journalctl -u pathmonitord.service -o json --no-pager PATH_STATUS=unsatisfied | tail -n 1 | jq -r .PATH_STATUS)"

# MARK: At rest
wakeups() { awk '/^voluntary_ctxt_switches:/ { print $2 }' "/proc/$pid/status"; }
sleep 10
before=$(wakeups)
sleep 120
woken=$(($(wakeups) - before))
echo "# in two minutes at rest the service has woken up $woken times"
is 'at rest it wakes up for its watchdog alone, once a minute' yes "$( ((woken <= 3)) && echo yes || echo "$woken times")"

# MARK: Stop and start
systemctl stop pathmonitord.service 2>/dev/null
is 'the service stops cleanly, and the socket stays' 'success inactive active' \
    "$(property pathmonitord.service Result) $(states pathmonitord.service pathmonitord.socket)"
pathctl status >/dev/null 2>&1
becomes 60 'the next question starts it again' active pathmonitord.service
is 'and it answers' 'satisfied wiredEthernet' "$(served_verdict)"
systemctl stop pathmonitord.socket pathmonitord.service
is 'with the socket goes its file' '' "$(find /run/pathmonitor -mindepth 1)"
is 'then pathctl asks the kernel, and says so' 'satisfied wiredEthernet' \
    "$(pathctl status --json 2>/run/errors | jq -rc "$verdict")"
is 'in one line' 1 "$(grep -c 'so the kernel is asked' /run/errors)"
is 'nothing was started too often' '' "$(start_limits)"
finish
