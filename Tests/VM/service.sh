# Sourced by the jobs about the service and systemd, in the VM, after what is said in helpers.sh.
# shellcheck shell=bash
# A job that has sourced them goes on with its counts.
declare -F finish >/dev/null || . "$job/helpers.sh"

# fail WHAT EXPECTED GOT: without an explanation of the path, which is seldom the cause here.
fail() {
    checks=$((checks + 1)) failures=$((failures + 1))
    echo "not ok - $1: expected $2, got $3"
}

# MARK: Installation

# install_files: installs the programs and units of the package, but not the package itself.
install_files() {
    install -m755 "$job"/pathctl "$job"/pathmonitord /usr/bin/
    install -m644 "$job"/systemd/*.service "$job"/systemd/*.socket "$job"/systemd/*.target /usr/lib/systemd/system/
    install -m644 "$job"/systemd/sysusers.d/* /usr/lib/sysusers.d/
    install -m644 "$job"/systemd/tmpfiles.d/* /usr/lib/tmpfiles.d/
    systemd-sysusers pathmonitor.conf && systemd-tmpfiles --create pathmonitor.conf && systemctl daemon-reload ||
        fail 'the files can be installed' 'no error' "exit status $?"
    warm_up
}

# warm_up: brings the programs from the disk into memory, which takes a busy machine longer than clients wait.
warm_up() { { pathctl --version && pathmonitord --version; } >/dev/null; }

# start_service: for jobs that are not about its start. A client asks the kernel after 2 s, and the start may take
# longer than that on a busy machine.
start_service() { systemctl enable --quiet --now pathmonitord.socket && systemctl start pathmonitord.service; }

# serve_uplink: the installed service, on a machine with an uplink.
serve_uplink() { install_files; make_uplink; start_service; }

# install_example NAME...: units of the examples.
install_example() {
    local name
    for name in "$@"; do install -m644 "$job/systemd/examples/$name" /etc/systemd/system/; done
    systemctl daemon-reload
}

# drop_in UNIT LINE...: changes a unit.
drop_in() {
    local unit=$1; shift
    mkdir -p "/etc/systemd/system/$unit.d"
    printf '%s\n' "$@" >"/etc/systemd/system/$unit.d/test.conf"
    systemctl daemon-reload
}

# stand_in NAME LINE...: a program in place of one in an example.
stand_in() {
    local name=$1; shift
    printf '%s\n' '#!/bin/sh' "$@" >"/usr/bin/$name"
    chmod 755 "/usr/bin/$name"
}

# MARK: The network

# make_wire [ARGUMENT...]: a cable to a router in the namespace far, plugged in there. The arguments are for our link.
make_wire() {
    modprobe -q veth
    ip netns add far
    ip link add wire "$@" type veth peer name wire-far netns far
    ip -n far addr add 192.0.2.1/24 dev wire-far
    ip -n far link set wire-far up
}
# make_uplink: such a cable with an address and a default route.
make_uplink() {
    make_wire
    ip link set wire up
    ip addr add 192.0.2.2/24 dev wire
    ip route add default via 192.0.2.1 dev wire
}
# unplug, plug: the far end of the cable, which takes the carrier from ours.
unplug() { ip -n far link set wire-far down; }
plug() { ip -n far link set wire-far up; }

# MARK: Units

property() { systemctl show -P "$2" "$1"; }
state() { property "$1" ActiveState; }
states() { local unit; for unit in "$@"; do state "$unit"; done | paste -sd ' '; }
state_is() { [ "$(state "$1")" = "$2" ]; }
pid() { property "${1:-pathmonitord.service}" MainPID; }
# states_are 'STATE STATE...' UNIT...
states_are() { [ "$(states "${@:2}")" = "$1" ]; }

# becomes SECONDS WHAT 'STATE...' UNIT...: the units get there.
becomes() {
    within "$1" states_are "$3" "${@:4}"
    is "$2" "$3" "$(states "${@:4}")"
}

# has_restarted PID: the service runs, and is not the process it was. In this order: the state before the question for
# the process may be that of the former one.
has_restarted() { ! [[ $(pid) =~ ^(0|$1)$ ]] && state_is pathmonitord.service active; }

# journal UNIT...: what the units have written since the job began.
began=$(date '+%Y-%m-%d %H:%M:%S')
journal() {
    local arguments=() unit
    for unit in "$@"; do arguments+=(-u "$unit"); done
    journalctl --sync
    journalctl --since "$began" -o cat --no-pager "${arguments[@]}"
}

# journal_has TEXT UNIT...
journal_has() { journal "${@:2}" | grep -qF -- "$1"; }

# start_limits: the units that were refused a start for having been started too often.
start_limits() {
    journal | sed -nE 's/^([^ ]+): (Start request repeated too quickly|.*start-limit-hit).*/\1/p' | sort -u | paste -sd ' '
}

# as USER COMMAND...: as a user with all groups of that user.
as() { setpriv --reuid "$1" --regid "$(id -g "$1")" --init-groups "${@:2}"; }

# served ARGUMENTS...: the reply of the service to the installed pathctl. Starts the service if it does not run.
served() {
    local status
    state_is pathmonitord.service active || systemctl start pathmonitord.service
    /usr/bin/pathctl "$@" 2>/run/job-errors >/run/job-answer
    status=$?
    # The reply came from the kernel, and does not count here.
    grep -q 'service does not answer' /run/job-errors && return 70
    cat /run/job-answer
    return $status
}

# The settled path of the service.
served_verdict() { served status --json | jq -rc "$verdict"; }
served_verdict_is() { [ "$(served_verdict)" = "$1" ]; }
