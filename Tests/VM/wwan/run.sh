#!/bin/bash
# A simulated cellular modem: its own channel, one more channel, and a WireGuard tunnel over it, as the kernel alone
# reports them. Then the cost of the connection, as the service reports it with an administrator's rules (cost.sh).
set -u
. "$(dirname "$0")/helpers.sh"
summary='[.interfaceType, .usesTunnel, .isExpensive]'

needs 'a simulated modem (wwan_hwsim)' modprobe -n wwan_hwsim
start_watch
modprobe wwan_hwsim devices=1; udevadm settle
within 10 test -e /sys/class/net/wwan0

# MARK: The devices of the modem
type_is 'wwan0, which comes with the modem, is cellular' wwan0 cellular
is 'it is expensive even while it is down' true "$(interface wwan0 .isExpensive)"
path_is 'a modem that is down makes no path' "$verdict" 'unsatisfied noInterface'
if ip link add dev wwan0-2 parentdev wwan0 type wwan linkid 2; then
    type_is 'a channel added to the modem is cellular' wwan0-2 cellular
else
    skip 'a channel added to the modem is cellular' 'iproute2 knows no parentdev'
fi

# MARK: Connected
set_mark
ip link set wwan0 up
comes_to 'up without an address' 'unsatisfied noAddress'
announces 2 'which the watch says, too' 'unsatisfied noAddress'
ip addr add 198.51.100.2/32 dev wwan0
comes_to 'an address without a default route' 'unsatisfied noRoute'
set_mark
ip route add default dev wwan0
announces 2 'with address and default route the watch says satisfied' 'satisfied cellular'
path_is 'the path is cellular, no tunnel, expensive' "$summary" '["cellular",false,true]'
path_is 'and it says why' '.cost.evidence[0] | [.source, .verdict, .confidence, .text]' \
    '["interfaceType","expensive","certain","wwan0 is a cellular interface"]'
path_is 'it has one interface and no gateway' '[[.interfaces[].name], .gateways]' '[["wwan0"],[]]'
agrees 'when connected'

# MARK: Down and up
set_mark
ip link set wwan0 down
announces 2 'down: no interface is up' 'unsatisfied noInterface'
path_is 'what is not connected costs nothing' .isExpensive false
agrees 'when down'
set_mark
ip link set wwan0 up
announces 2 'up: the kernel has dropped the default route' 'unsatisfied noRoute'
never 'nothing is satisfied until it is back' satisfied
ip route add default dev wwan0
announces 2 'the default route is back: satisfied' 'satisfied cellular'
agrees 'when up again'

# MARK: A tunnel over the modem
if ip link add wg0 type wireguard 2>/dev/null; then
    (umask 077; wg genkey >/run/key)
    wg set wg0 private-key /run/key peer "$(wg genkey | wg pubkey)" \
        endpoint 203.0.113.1:51820 allowed-ips 0.0.0.0/0
    set_mark
    ip addr add 10.9.0.2/32 dev wg0; ip link set wg0 up
    type_is 'the tunnel is of type other' wg0 other
    path_is 'without a route over it the path is the modem' "$summary" '["cellular",false,true]'
    # The main table keeps the modem's default route.
    add_wg_quick_rules
    announces 2 'with rules that lead into the tunnel the watch says satisfied' 'satisfied other'
    path_is 'the path is a tunnel, and as expensive as the modem' "$summary" '["other",true,true]'
    path_is 'the tunnel rests on the modem' '.interfaces[0] | [.name, .isExpensive, .underlying]' \
        '["wg0",true,["wwan0"]]'
    path_is 'the modem is the evidence' '.cost.evidence[0].text' 'wwan0 is a cellular interface'
    agrees 'with policy rules'
    delete_wg_quick_rules
    comes_to 'without the rules the path is the modem again' 'satisfied cellular'

    # As other clients do it: a better default route, and a route of its own for the peer.
    set_mark
    ip route replace default dev wwan0 metric 100; ip route del default dev wwan0 metric 0
    ip route add 203.0.113.1/32 dev wwan0
    ip route add default dev wg0 metric 50
    announces 2 'with a better default route the watch says satisfied' 'satisfied other'
    path_is 'that path is an expensive tunnel, too' "$summary" '["other",true,true]'
    path_is 'and rests on the modem' '.interfaces[0].underlying' '["wwan0"]'
    agrees 'with a default route'
    set_mark
    ip link del wg0
    announces 2 'the tunnel is removed: the modem remains' 'satisfied cellular'
    agrees 'without the tunnel'
    # Between the removal of the tunnel and that of its routes the kernel still prefers them: no update may report that.
    never_settled 'once settled there was no moment without a path' unsatisfied
else
    skip 'a tunnel over the modem' 'the kernel has no wireguard'
fi

# MARK: The added channel takes over
if [ -e /sys/class/net/wwan0-2 ]; then
    set_mark
    ip link set wwan0-2 up; ip addr add 198.51.100.6/32 dev wwan0-2
    ip route add default dev wwan0-2 metric 10
    within 2 has_update '.interfaces[0].name == "wwan0-2"'
    path_is 'the added channel carries the path when its route is better' \
        '[.interfaceType, .isExpensive, [.interfaces[].name]]' '["cellular",true,["wwan0-2","wwan0"]]'
    agrees 'with two channels'
    set_mark
    ip link del wwan0-2
    within 2 has_update '[.interfaces[].name] == ["wwan0"]'
    path_is 'removed, it leaves the path to wwan0' '[.interfaces[].name]' '["wwan0"]'
    agrees 'without the added channel'
    never_settled 'and once settled there was no moment without a path' unsatisfied
fi

# MARK: The modem is pulled out
set_mark
rmmod wwan_hwsim
announces 2 'the modem is removed: no interface is left' 'unsatisfied noInterface'
agrees 'without the modem'
is 'the watch has nothing to complain of' '' "$(cat /run/watch-errors)"
kill $watch $settled_watch

. "$job/cost.sh"
finish
