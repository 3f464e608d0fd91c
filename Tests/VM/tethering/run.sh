#!/bin/bash
# A network like an Android phone's hotspot, whose DHCP server sends ANDROID_METERED in option 43. Three clients take a
# lease of it in turn: dhclient, systemd-networkd and NetworkManager. The path has the cost from their leases.
set -u
. "$(dirname "$0")/helpers.sh"
socket=/run/pathmonitor.socket
daemon=/run/pathmonitord-under-test

summary='[.isExpensive, .cost.confidence, [.cost.evidence[] | [.source, .verdict, .confidence]]]'
metered='[true,"certain",[["lease","expensive","certain"]]]'
# The daemon's path; the helpers ask the kernel alone.
served() { $pathctl status --json --socket $socket | jq -rc "$summary"; }
served_is() { [ "$(served)" = "$1" ]; }
serves() { # serves WHAT EXPECTED
    within 20 served_is "$2"
    is "$1" "$2" "$(served)"
}
has_started_after() { ! [[ $(systemctl show -P MainPID NetworkManager) =~ ^(0|$1)$ ]]; }
direct_is() { [ "$(path "$summary")" = "$1" ]; }
has_address() { ip -4 address show dev usb0 | grep -q 'inet 192.168.43'; }
has_no_address() { ! has_address; }

needs 'DHCP server' command -v dhcpd
needs 'dhclient' command -v dhclient

# MARK: The phone
ip netns add phone
ip link add usb0 type veth peer name rndis0 netns phone
ip netns exec phone ip link set lo up
ip netns exec phone ip link set rndis0 up
ip netns exec phone ip address add 192.168.43.1/24 dev rndis0
serve_dhcp phone rndis0 <<'END'
authoritative;
default-lease-time 3600;
subnet 192.168.43.0 netmask 255.255.255.0 {
  range 192.168.43.10 192.168.43.20;
  option routers 192.168.43.1;
  option domain-name-servers 192.168.43.1;
  # "ANDROID_METERED", also to clients that have not asked.
  option vendor-encapsulated-options 41:4e:44:52:4f:49:44:5f:4d:45:54:45:52:45:44;
  option dhcp-parameter-request-list = concat(option dhcp-parameter-request-list, 2b);
}
END

install -m755 "$job/pathmonitord" $daemon
$daemon --socket $socket 2>/run/daemon.log &
within 10 test -S $socket
start_watch
ip link set usb0 up
comes_to 'without an address there is no path' 'unsatisfied noAddress'

# MARK: dhclient
set_mark
dhclient -4 -1 -pf /run/dhclient.pid usb0 >/run/dhclient.log 2>&1
within 20 has_address || fail 'dhclient gets a lease (not about the program)' 'an address' "$(tail -n 3 /run/dhclient.log)"
echo "# $(grep -h vendor-encapsulated-options /var/lib/dhcp/dhclient*.leases | head -n 1)"
within 10 direct_is "$metered"
path_is 'dhclient: the lease makes the path expensive, for certain' "$summary" "$metered"
serves 'the daemon says so, too' "$metered"
within 5 has_update '.isExpensive'
is 'and the watch, after the lease was written' true "$(marked | jq -s 'last | .isExpensive')"
is 'a check for unmetered fails' 1 "$($pathctl check unmetered --socket $socket; echo $?)"
explains 'the explanation names the lease' '  * certain  expensive  lease  usb0 has a DHCP lease of 192.168.43.'
agrees 'with a lease of dhclient'
set_mark
dhclient -4 -r -pf /run/dhclient.pid usb0 >>/run/dhclient.log 2>&1
within 10 has_no_address
comes_to 'without the lease there is no path' 'unsatisfied noAddress'
# The file stays: the address of an earlier lease alone is no evidence of a phone.
ip address add 192.168.43.99/24 dev usb0; ip route add default via 192.168.43.1
path_is 'with an address of somebody else the old lease says nothing' "$summary" '[false,"unknown",[]]'
ip address flush dev usb0
rm -f /var/lib/dhcp/dhclient*.leases

# MARK: systemd-networkd
mkdir -p /run/systemd/network
cat >/run/systemd/network/usb0.network <<'END'
[Match]
Name=usb0
[Network]
DHCP=ipv4
LinkLocalAddressing=no
IPv6AcceptRA=no
END
set_mark
systemctl start systemd-networkd 2>/run/networkd.log
if within 30 has_address; then
    echo "# $(grep -H VENDOR_SPECIFIC /run/systemd/netif/leases/*)"
    within 10 direct_is "$metered"
    path_is 'systemd-networkd: the lease makes the path expensive, for certain' "$summary" "$metered"
    serves 'the daemon says so, too' "$metered"
    within 5 has_update '.isExpensive'
    agrees 'with a lease of systemd-networkd'
else
    fail 'systemd-networkd gets a lease (not about the program)' 'an address' "$(networkctl status usb0 2>&1 | tail -n 5)"
fi
systemctl stop systemd-networkd systemd-networkd.socket
rm -f /run/systemd/network/usb0.network /run/systemd/netif/leases/*
ip address flush dev usb0

# MARK: NetworkManager
if command -v nmcli >/dev/null; then
    mkdir -p /run/NetworkManager/conf.d
    printf '[main]\ndns=none\nplugins=keyfile\n[keyfile]\nunmanaged-devices=none\n[connectivity]\nenabled=false\n' \
        >/run/NetworkManager/conf.d/90-test.conf
    systemctl start NetworkManager
    nmcli device set usb0 managed yes
    nmcli connection add type ethernet ifname usb0 con-name phone ipv6.method disabled >/run/nm.log 2>&1
    nmcli connection up phone >>/run/nm.log 2>&1
    guess='[true,"guess",[["networkManager","expensive","guess"]]]'
    serves 'NetworkManager: it guesses that the connection is metered' "$guess"
    path_is 'without the bus nothing is known of that' "$summary" '[false,"unknown",[]]'
    is 'so a check for unmetered without the daemon cannot be known' 69 \
        "$($pathctl check unmetered --socket /run/none 2>/dev/null; echo $?)"
    is 'unless the kernel alone is asked' 0 "$($pathctl check unmetered --direct; echo $?)"
    is 'a guess is enough to be careful' 1 "$($pathctl check unmetered --socket $socket; echo $?)"

    nmcli connection modify phone connection.metered no >>/run/nm.log 2>&1
    nmcli device reapply usb0 >>/run/nm.log 2>&1
    serves 'its user says that it is not metered' '[false,"explicit",[["networkManager","notExpensive","explicit"]]]'
    is 'which is known' 0 "$($pathctl check unmetered-known --socket $socket; echo $?)"
    nmcli connection modify phone connection.metered yes >>/run/nm.log 2>&1
    nmcli device reapply usb0 >>/run/nm.log 2>&1
    explicit='[true,"explicit",[["networkManager","expensive","explicit"]]]'
    serves 'or that it is' "$explicit"

    # It leaves the interface as it is when it ends.
    systemctl stop NetworkManager
    serves 'when it is stopped nothing is known' '[false,"unknown",[]]'
    systemctl start NetworkManager
    serves 'when it is back it is known again' "$explicit"
    killed=$(systemctl show -P MainPID NetworkManager)
    systemctl kill -s KILL NetworkManager
    # Until then, the answer is still that of the killed one.
    within 20 has_started_after "$killed"
    serves 'also after it was killed and started again' "$explicit"
    is 'the daemon has nothing to complain of' '' "$(grep -v '^pathmonitord: \(connected\|offline\)' /run/daemon.log)"
else
    skip 'NetworkManager' 'the image has none'
fi
is 'the watches have nothing to complain of' '' "$(cat /run/watch-errors)"
finish
