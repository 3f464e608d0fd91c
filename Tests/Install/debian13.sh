#!/bin/bash
# debian13.sh FOLDER ARCHIVE: tests the package FOLDER/package.deb on Debian 13. Its systemd brings varlinkctl, an
# independent Varlink client. ARCHIVE is the tree from scripts/make-debian-tree. Tests/Install/run starts this script in
# mount, process and network namespaces of its own; nothing of it reaches the machine.
set -u
work=$1 archive=$2
. "$(dirname "$0")/checks.sh"
. "$(dirname "$0")/trees.sh"

mount --make-rprivate /
debian_tree "$archive" || exit 1
# The words that varlinkctl prints hold the text $1.
holds() {
    local text=$1
    shift
    "$@" >"$work/held" 2>&1
    local status=$?
    cat "$work/held"
    [ "$status" = 0 ] && grep -qF -- "$text" "$work/held"
}
# Waits until the file has a line with the text, at most 20 s.
comes() { timeout 20 sh -c 'tail -n +1 -f "$1" | grep -qFm1 -- "$2"' sh "$1" "$2"; }

# A network with a way out.
ip link set lo up
ip link add eth0 type veth peer name far
ip link set far up
ip link set eth0 up
ip address add 192.0.2.2/24 dev eth0
ip route add default via 192.0.2.1

ok "it is Debian 13 with systemd 257 or later" inside sh -c '. /etc/os-release && [ "$VERSION_ID" = 13 ] &&
    version=$(systemctl --version | sed -n "1s/systemd \([0-9]*\).*/\1/p") && [ "$version" -ge 257 ]'
ok "the package installs" inside dpkg -i /tmp/package.deb
ok "no file of it was changed on the way" inside sh -c '[ -z "$(dpkg --verify pathmonitor)" ]'
ok "its groups are there" inside getent group pathmonitor pathmonitor-state
ok "systemd takes the units" inside systemd-analyze verify --man=no /usr/lib/systemd/system/pathmonitord.service \
    /usr/lib/systemd/system/pathmonitord.socket /usr/lib/systemd/system/pathmonitor-targets.service
ok "pathctl runs" inside pathctl check connected --direct

interface=io.pathmonitor.PathMonitor
socket=/run/pathmonitor/$interface
mkdir -p "$tree/run/pathmonitor"
chroot "$tree" pathmonitord --verbose >"$work/daemon" 2>&1 &
daemon=$!
ok "the service starts" comes "$work/daemon" connected
ok "pathctl is answered by it" inside pathctl health
ok "varlinkctl takes the installed description" inside varlinkctl validate-idl \
    "/usr/share/doc/pathmonitor/$interface.varlink"
ok "varlinkctl shows the service" holds "PathMonitor developers" inside varlinkctl info "$socket"
ok "varlinkctl lists the interface" holds "$interface" inside varlinkctl list-interfaces "$socket"
ok "varlinkctl introspects it" holds "method WatchPath" inside varlinkctl introspect "$socket" "$interface"
ok "varlinkctl calls it" holds '"status":"satisfied"' inside varlinkctl call --json=short "$socket" \
    "$interface.GetPath" '{}'
ok "varlinkctl calls it with parameters" holds '"unsatisfiedReason":"requirementNotMet"' inside varlinkctl call \
    --json=short "$socket" "$interface.GetPath" '{"requirement":"wifi"}'
ok "varlinkctl shows an error by its name" holds "$interface.InvalidRequirement" \
    sh -c '! "$@" 2>&1' sh chroot "$tree" varlinkctl call "$socket" "$interface.GetPath" '{"requirement":"wfi"}'

chroot "$tree" varlinkctl call --more --json=short "$socket" "$interface.WatchPath" '{"settleMilliseconds":0}' \
    >"$work/followed" 2>&1 &
follower=$!
ok "varlinkctl follows it, from the present path" comes "$work/followed" '"status":"satisfied"'
ip route del default
ok "varlinkctl is told of a change" comes "$work/followed" '"status":"unsatisfied"'
ip route add default via 192.0.2.1
ok "each change is one reply, in order" timeout 20 sh -c '
    until [ "$(grep -o "\"status\":\"[a-z]*\"" "$1" | cut -d\" -f4 | uniq | paste -sd " ")" = \
        "satisfied unsatisfied satisfied" ]; do inotifywait -qq -t 1 "$1" 2>/dev/null || sleep 0.1; done' sh "$work/followed"
kill $follower $daemon
wait $follower
wait $daemon
ok "the service ends with 0" test "$?" = 0
ok "the package can be purged" inside dpkg -P pathmonitor
exit "$failed"
