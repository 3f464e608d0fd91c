#!/bin/bash
# Broken networks of kinds that a container's kernel lacks: a bond, a VLAN, WireGuard and a VRF. For each, the causes
# that `pathctl explain` and `pathctl status` name, and the next step.
set -u
. "$(dirname "$0")/helpers.sh"

modprobe -q -a vrf wireguard veth bonding 8021q macvlan 2>/dev/null
ip link set lo up
ip netns add far
# One name server, so that its lack is no further cause.
echo 'nameserver 192.0.2.53' >/etc/resolv.conf

# cable NAME: a cable to the namespace `far`.
cable() {
    ip link add "$1" type veth peer name "$1" netns far
    ip -n far link set "$1" up
    ip link set "$1" up
}
unplug() { local name; for name; do ip -n far link set "$name" down; await_carrier "$name" 0; done; }
plug() { local name; for name; do ip -n far link set "$name" up; await_carrier "$name" 1; done; }
has_carrier() { [ "$(cat "/sys/class/net/$1/carrier" 2>/dev/null)" = "$2" ]; }
await_carrier() {
    within 10 has_carrier "$1" "$2" || fail "the carrier of $1 becomes $2 (not about the program)" "$2" "$(cat "/sys/class/net/$1/carrier")"
}

# causes VERB: the code, the subject and the sentence, the advice, then the code and subject of each further cause.
causes() {
    $pathctl "$1" --json --direct | jq -r '(.diagnosis | "\(.code) \(.subject): \(.sentence)", "\(.advice)"),
        (.furtherDiagnoses[] | "also \(.code) \(.subject)")'
}
# names WHAT LINE...: both verbs say so, within the time in which the kernel passes a carrier on to what lies above.
names() {
    local what=$1 expected; shift
    expected=$(printf '%s\n' "$@")
    within 10 causes_are explain "$expected"
    is "$what" "$expected" "$(causes explain)"
    is "$what, says status too" "$expected" "$(causes status)"
}
causes_are() { [ "$(causes "$1")" = "$2" ]; }
out='a cable is out, or the port at the other end is off'
check() { echo "Is the other end of the pair up, perhaps in another network namespace? 'ip link show $1' shows the state."; }

# MARK: A bond
bond() {
    ip link add bond0 type bond mode active-backup miimon 100 2>/run/error ||
        { skip 'a bond' "$(cat /run/error)"; return; }
    ip link set bond0 up; ip addr add 192.0.2.2/24 dev bond0; ip route add default via 192.0.2.1 dev bond0
    names 'a bond without ports' \
        'bondWithoutPorts bond0: bond0, the only interface, is a bond without ports' \
        'Add the network cards that it is for, which must have no address of their own: ip link set CARD down; ip link set CARD master bond0'
    cable wire; cable wire2
    local name
    for name in wire wire2; do ip link set $name down; ip link set $name master bond0; ip link set $name up; done
    ip -n far addr add 192.0.2.1/24 dev wire
    comes_to 'a bond over two cables is a path' 'satisfied wiredEthernet'
    unplug wire
    comes_to 'with one cable out it still is' 'satisfied wiredEthernet'
    unplug wire2
    names 'a bond without carrier on both legs' \
        "noCarrier wire: wire and wire2 below bond0 have no carrier: $out" "$(check wire)"
    ip link add link bond0 bond0.10 type vlan id 10
    ip link set bond0.10 up; ip addr add 198.51.100.2/24 dev bond0.10
    ip addr del 192.0.2.2/24 dev bond0
    ip route add default via 198.51.100.1 dev bond0.10 2>/dev/null
    names 'a VLAN on that bond' \
        "noCarrier wire: wire and wire2 below bond0 have no carrier: $out" "$(check wire)"
    ip link del bond0.10
    ip addr add 192.0.2.2/24 dev bond0; ip route add default via 192.0.2.1 dev bond0
    plug wire wire2
    ip link set wire down; ip link set wire2 down
    names 'a bond whose ports are switched off' \
        'switchedOff wire: wire and wire2 below bond0 are switched off' 'Switch it on: ip link set wire up'
    ip link set wire up; ip link set wire2 up; await_carrier bond0 1

    # Another interface has a way out, which the kernel does not prefer.
    cable other
    ip addr add 203.0.113.2/24 dev other; ip route add default via 203.0.113.1 dev other metric 9
    ip route replace default via 192.0.2.1 dev bond0
    unplug wire wire2
    names 'the bond is preferred and dead, another interface is usable' \
        'linkDownRoute bond0: the kernel prefers the route over bond0, which has no carrier, because wire and wire2 have none, although other is usable' \
        "Repair bond0, or let the kernel move to another interface by itself: 'sysctl net.ipv4.conf.all.ignore_routes_with_linkdown=1' (for IPv6 net.ipv6.conf.all)."
    ip link del other
    plug wire wire2
    ip link set bond0 down
    names 'a bond that is switched off' \
        'switchedOff bond0: bond0, the only interface, is switched off' 'Switch it on: ip link set bond0 up'
    ip link del bond0; ip link del wire; ip link del wire2
}
bond

# MARK: A VLAN
vlan() {
    cable wire
    ip link add link wire wire.10 type vlan id 10 2>/run/error ||
        { skip 'a VLAN' "$(cat /run/error)"; ip link del wire; return; }
    ip link set wire.10 up; ip addr add 192.0.2.2/24 dev wire.10
    ip route add default via 192.0.2.1 dev wire.10
    comes_to 'a VLAN over a cable is a path' 'satisfied wiredEthernet'
    unplug wire
    names 'a VLAN whose lower link has no carrier' "noCarrier wire: wire below wire.10 has no carrier: $out" "$(check wire)"
    plug wire
    # The kernel switches the VLAN off with it, and on again.
    ip link set wire down
    names 'a VLAN whose lower link is switched off' \
        'switchedOff wire: wire below wire.10 is switched off' 'Switch it on: ip link set wire up'
    ip link set wire up; ip route add default via 192.0.2.1 dev wire.10
    comes_to 'the advice was right: the VLAN is on with it' 'satisfied wiredEthernet'
    ip link set wire.10 down
    names 'a VLAN that is switched off itself' \
        'switchedOff wire.10: wire.10 is switched off' 'Switch it on: ip link set wire.10 up'
    ip link set wire.10 up; ip route add default via 192.0.2.1 dev wire.10
    ip link add link wire over type macvlan mode bridge
    ip link del wire.10
    ip link set over up; ip addr add 192.0.2.3/24 dev over; ip route add default via 192.0.2.1 dev over
    ip link set wire down
    names 'a macvlan whose lower link is switched off' \
        'switchedOff wire: wire below over is switched off' 'Switch it on: ip link set wire up'
    ip link del wire
}
vlan

# MARK: WireGuard
wireguard() {
    ip link add wg0 type wireguard 2>/run/error || { skip 'WireGuard' "$(cat /run/error)"; return; }
    cable wire; cable wire2
    ip addr add 192.0.2.2/24 dev wire
    # A peer on the link of the cable.
    wg set wg0 private-key <(wg genkey) peer "$(wg genkey | wg pubkey)" allowed-ips 0.0.0.0/0 endpoint 192.0.2.1:51820
    ip addr add 10.9.0.2/24 dev wg0; ip link set wg0 up
    ip route add default dev wg0
    comes_to 'WireGuard is a path' 'satisfied other'
    unplug wire wire2
    names 'WireGuard with the default route, and every real link without carrier' \
        "noCarrier wire: wire has no carrier: $out" "$(check wire)"
    ip link set wire2 down
    names 'one of them is switched off, and has no address' \
        "noCarrier wire: wire has no carrier: $out" "$(check wire)" 'also switchedOff wire2'
    ip link set wire down
    names 'every real link is switched off' \
        'switchedOff wire: wire is switched off' 'Switch it on: ip link set wire up'
    ip -n far link set wire up; ip link set wire up; await_carrier wire 1

    ip route del default dev wg0
    ip route add default via 192.0.2.1 dev wire
    add_wg_quick_rules
    comes_to 'by the rules of wg-quick, too' 'satisfied other'
    unplug wire
    names 'the same by the rules of wg-quick' \
        "noCarrier wire: wire has no carrier: $out" "$(check wire)" 'also switchedOff wire2'
    plug wire
    delete_wg_quick_rules
    ip link del wg0; ip link del wire; ip link del wire2
}
wireguard

# MARK: A VRF
vrf() {
    ip link add red type vrf table 10 2>/run/error || { skip 'a VRF' "$(cat /run/error)"; return; }
    cable port
    ip link set red up; ip link set port master red
    ip addr add 192.0.2.2/24 dev port
    ip route add default via 192.0.2.1 dev port table 10
    local advice="Run the program in the VRF: ip vrf exec red COMMAND. For all other programs, table main needs a route."
    names 'a VRF with a default route in its table only' \
        'routeInVRF red: the only default route is that of the VRF red, which serves programs that are bound to it' \
        "$advice"
    # A cable for maintenance, as routers have it.
    cable other; ip addr add 198.51.100.2/24 dev other
    names 'the same beside an interface without a default route' \
        'routeInVRF red: the only default route is that of the VRF red, which serves programs that are bound to it' \
        "$advice"
    ip link del other
    ip route del default via 192.0.2.1 dev port table 10
    names 'a VRF without any default route' \
        'noDefaultRoute port: port has 192.0.2.2/24, but there is no default route' \
        "Is a gateway missing in the configuration? On a closed network, name an address of yours with --sample-address, or SampleAddress= in pathmonitor.conf(5)."
    ip route add default dev red
    names 'a default route into a VRF that has none' \
        'noDefaultRoute red: all traffic is routed into the VRF red, whose tables have no route for it' \
        "Is a gateway missing in the configuration? On a closed network, name an address of yours with --sample-address, or SampleAddress= in pathmonitor.conf(5)."
    ip route add default via 192.0.2.1 dev port table 10
    comes_to 'a default route into a VRF that has one is a path' 'satisfied other'
    unplug port
    names 'a VRF whose port has no carrier' "noCarrier port: port below red has no carrier: $out" "$(check port)"
    ip link del red; ip link del port
}
vrf
finish
