#!/bin/bash
# A phone's hotspot with dhcpcd, whose leases only root may read. The service is another user, so it either has been
# given the right to read them, or the cost is not known. It never says "unmetered".
set -u
job=$(cd "$(dirname "$0")" && pwd)
. "$job/service.sh"
needs 'DHCP server' command -v dhcpd
needs 'package dhcpcd-base' dpkg -i "$job"/dhcpcd-base_*.deb
install_files
make_wire; ip link set wire up

# serve LINE: a DHCP server with a line more in its configuration.
serve() {
    serve_dhcp far wire-far <<END
authoritative;
default-lease-time 600;
subnet 192.0.2.0 netmask 255.255.255.0 { range 192.0.2.50 192.0.2.60; option routers 192.0.2.1; $1 }
END
}
has_address() { ip -4 address show dev wire | grep -q 'inet 192.0.2'; }
lease() {
    dhcpcd -4 -q wire >/run/dhcpcd.log 2>&1
    within 30 has_address || fail 'dhcpcd gets a lease (not about the program)' 'an address' "$(tail -n 3 /run/dhcpcd.log)"
    within 10 test -e /var/lib/dhcpcd/wire.lease
    echo "# $(stat -c '%a %U:%G %n' /var/lib/dhcpcd /var/lib/dhcpcd/*.lease | paste -sd ' ')"
}
release() { dhcpcd -4 -q -k wire >>/run/dhcpcd.log 2>&1; within 20 eval '! has_address'; kill "$(cat /run/dhcpd.pid)"; }
# exit_status COMMAND...: of `pathctl check`.
exit_status() { "$@" >/run/job-check 2>&1; echo $?; }
# one_of WHAT STATUSES GOT
one_of() { if [[ " $2 " == *" $3 "* ]]; then pass "$1"; else fail "$1" "one of $2" "$3"; fi; }
metered='[true,"certain",["lease"]]'
summary='[.isExpensive, .cost.confidence, [.cost.evidence[].source]]'

# MARK: A phone
serve 'option vendor-encapsulated-options 41:4e:44:52:4f:49:44:5f:4d:45:54:45:52:45:44;
    option dhcp-parameter-request-list = concat(option dhcp-parameter-request-list, 2b);'
start_service
lease
is '(dhcpcd) a lease is for root alone' 1 "$(as nobody cat /var/lib/dhcpcd/wire.lease >/dev/null 2>&1; echo $?)"
within 10 eval '[ "$(path "$summary")" = "$metered" ]'
path_is 'root reads in the lease that the network is metered' "$summary" "$metered"
one_of 'the service does not say that it is unmetered' '1 69' "$(exit_status served check unmetered)"
one_of 'and says so to every user' '1 69' "$(exit_status as nobody pathctl check unmetered)"
one_of 'nor that this is known' '1 69' "$(exit_status served check unmetered-known)"
one_of 'nor does a user without the service' '1 69' "$(exit_status as nobody pathctl check unmetered --direct)"
is 'the network is connected all the same' 'satisfied wiredEthernet' "$(served_verdict)"
release
is 'without the lease there is no path' 'unsatisfied noAddress' "$(within 10 served_verdict_is 'unsatisfied noAddress'; served_verdict)"

# MARK: Another network
# A lease that nobody else can read may always be a phone's.
serve ''
lease
one_of 'an ordinary network is unmetered, or its cost is not known' '0 69' "$(exit_status served check unmetered)"
path_is 'root reads that nothing speaks of a cost' .isExpensive false
release

# MARK: No lease
rm -f /var/lib/dhcpcd/*.lease
ip address add 192.0.2.2/24 dev wire; ip route add default via 192.0.2.1
is 'an address of the administrator has no lease, and no cost' 0 \
    "$(within 10 served_verdict_is 'satisfied wiredEthernet'; exit_status served check unmetered)"
finish
