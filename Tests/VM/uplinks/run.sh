#!/bin/bash
# Ways out that a container's kernel lacks: a VRF, WireGuard, PPP, IPsec by XFRM, and two advertised routers of which
# one dies. The job first observes the packets, by connecting and by the frames that leave, and then compares the path.
set -u
. "$(dirname "$0")/helpers.sh"

modprobe -q -a vrf wireguard veth ppp_generic ppp_async xfrm_interface esp4 esp6 dummy bridge tun 2>/dev/null
install -m644 "$job/packets.py" /run/packets.py
probe=17.253.0.1 probe6=2001:7fd::1

# leaves ADDRESS [DEVICE]
leaves() { python3 /run/packets.py leaves "$@"; }
# goes WHAT EXPECTED ADDRESS [DEVICE]: the way of the packets, on which all other checks rest.
goes() { is "(packets) $1" "$2" "$(leaves "${@:3}")"; }
# checks WHAT STATUS REQUIREMENT
checks() { $pathctl check "$3" --direct >/dev/null 2>&1; is "$1" "$2" $?; }
over='.status + (.interfaces | map(" " + .name) | join(""))'

# cable NAME: a cable to the namespace `far`.
cable() {
    ip link add "$1" type veth peer name "$1" netns far
    ip -n far link set "$1" up
    ip link set "$1" up
}
has_carrier() { [ "$(cat "/sys/class/net/$1/carrier" 2>/dev/null)" = "$2" ]; }
# await_carrier NAME 0|1: the kernel announces it up to a second late.
await_carrier() {
    within 10 has_carrier "$1" "$2" || fail "the carrier of $1 becomes $2 (not about the program)" "$2" "$(cat "/sys/class/net/$1/carrier")"
    sleep 0.2
}
ip link set lo up
ip netns add far; ip -n far link set lo up
start_watch

# MARK: VRF
vrf() {
    cable port
    ip link add red type vrf table 10 2>/dev/null || { skip 'a VRF' 'the kernel has none'; return; }
    ip link set red up; ip link set port master red
    ip addr add 192.0.2.2/24 dev port; ip -n far addr add 192.0.2.1/24 dev port
    ip route add default via 192.0.2.1 dev port table 10
    goes 'an unbound socket does not see the routes of a VRF' ENETUNREACH $probe
    path_is 'a default route in a VRF is no path for unbound sockets' .status unsatisfied
    goes 'a socket bound to the VRF leaves by its port' '192.0.2.2 over port' $probe red
    goes 'a socket bound to the port does, too' '192.0.2.2 over port' $probe port
    checks 'bound to the port there is a path' 0 via=port
    checks 'bound to the VRF there is a path' 0 via=red
    ip route add default via 192.0.2.1 dev port
    goes 'a route of the main table into the VRF works' '192.0.2.2 over port' $probe
    path_is 'a default route of the main table over a port of the VRF is a path' '[.status, .interfaces[0].name]' \
        '["satisfied","port"]'
    ip route replace default dev red
    goes 'so does one over the VRF itself' '192.0.2.2 over red port' $probe
    path_is 'a default route over the VRF is a path' '.status' satisfied
    checks 'a VRF is no VPN' 1 vpn
    ip -n far link set port down
    await_carrier port 0
    goes 'nothing gets out of a VRF whose port has no carrier' '192.0.2.2 over red' $probe
    path_is 'a VRF whose only port has no carrier makes no path' .status unsatisfied
    ip link del red; ip link del port
}
vrf
agrees 'after the VRF'

# MARK: WireGuard
# keys of both ends; the far end answers pings over the tunnel.
wireguard() {
    ip link add wg0 type wireguard 2>/dev/null || { skip 'WireGuard' 'the kernel has none'; return; }
    cable wire
    ip addr add 192.0.2.2/24 dev wire; ip -n far addr add 192.0.2.1/24 dev wire
    ip -n far link add wg0 type wireguard
    local near far; near=$(wg genkey) far=$(wg genkey)
    wg set wg0 private-key <(echo "$near") peer "$(wg pubkey <<<"$far")" \
        endpoint 192.0.2.1:51820 allowed-ips 0.0.0.0/0
    ip netns exec far wg set wg0 private-key <(echo "$far") listen-port 51820 peer "$(wg pubkey <<<"$near")" \
        allowed-ips 10.9.0.2/32
    ip addr add 10.9.0.2/24 dev wg0; ip link set wg0 up
    ip -n far addr add 10.9.0.1/24 dev wg0; ip -n far link set wg0 up
    is '(packets) the tunnel carries a ping' 0 "$(ping -c 1 -W 5 -q 10.9.0.1 >/dev/null; echo $?)"

    # A VPN client may replace the default route like this.
    ip route add default dev wg0
    goes 'over the replaced default route' '10.9.0.2 over wg0' $probe
    path_is 'WireGuard that replaced the default route rests on the wire' \
        '[.status, .usesTunnel, .interfaces[0].name, .interfaces[0].underlying]' '["satisfied",true,"wg0",["wire"]]'
    set_mark
    ip -n far link set wire down; await_carrier wire 0
    is '(packets) nothing gets through without the wire' 1 "$(ping -c 1 -W 1 -q 10.9.0.1 >/dev/null; echo $?)"
    path_is 'without carrier on the only real link WireGuard is no path' "$verdict" 'unsatisfied noCarrier'
    announces 5 'and the watch says so' 'unsatisfied noCarrier'
    ip -n far link set wire up; await_carrier wire 1
    comes_to 'with the wire it is back' 'satisfied other'
    ip route del default dev wg0

    ip route add default via 192.0.2.1 dev wire
    add_wg_quick_rules
    goes 'by the rules of wg-quick' '10.9.0.2 over wg0' $probe
    path_is 'the rules of wg-quick lead into the tunnel' "$over" 'satisfied wg0 wire'
    is '(packets) the tunnel carries a ping by its mark' 0 "$(ping -c 1 -W 5 -q 10.9.0.1 >/dev/null; echo $?)"
    set_mark
    ip -n far link set wire down; await_carrier wire 0
    path_is 'wg-quick without the wire is no path' "$verdict" 'unsatisfied noCarrier'
    announces 5 'and the watch says so' 'unsatisfied noCarrier'
    ip link set wire down
    path_is 'nor is it with the wire down' .status unsatisfied
    ip -n far link set wire up; ip link set wire up; await_carrier wire 1
    ip route add default via 192.0.2.1 dev wire
    comes_to 'with the wire it is back' 'satisfied other'
    ip link del wg0
    delete_wg_quick_rules
    comes_to 'without WireGuard the wire is the path' 'satisfied wiredEthernet'
    ip link del wire; ip -n far link del wg0
}
wireguard
agrees 'after WireGuard'

# MARK: PPP
# A line of two pseudoterminals.
ppp() {
    command -v pppd >/dev/null || { skip 'PPP' 'there is no pppd'; return; }
    cable wire
    ip netns exec far socat pty,link=/run/line-far,raw,echo=0 pty,link=/run/line,raw,echo=0 &
    line=$!
    within 5 test -e /run/line -a -e /run/line-far
    ip netns exec far pppd /run/line-far local noauth nocrtscts nodetach noipdefault 203.0.113.1:203.0.113.2 \
        >/run/pppd-far.log 2>&1 &
    far_end=$!
    pppd /run/line local noauth nocrtscts nodetach noipdefault defaultroute >/run/pppd.log 2>&1 &
    near_end=$!
    if ! within 40 has_ppp; then
        skip 'PPP' "$(tail -n 1 /run/pppd.log)"
    else
        goes 'over the line' '203.0.113.2 over ppp0' $probe
        path_is 'PPP is a path, of which is not known what carries it' \
            '[.status, .interfaceType, .usesTunnel, .interfaces[0].name]' '["satisfied","other",false,"ppp0"]'
        ip addr add 192.0.2.2/24 dev wire
        ip -n far link set wire down; await_carrier wire 0
        goes 'the line needs no wire' '203.0.113.2 over ppp0' $probe
        path_is 'PPP is a path while a wire beside it has no carrier: it may be the DSL line itself' "$over" 'satisfied ppp0'
        set_mark
        kill $far_end
        announces 20 'when the other end hangs up the path is gone' 'unsatisfied noCarrier'
    fi
    kill $near_end $far_end $line 2>/dev/null
    wait $near_end $far_end $line 2>/dev/null
    ip link del wire
}
has_ppp() { ip -4 addr show dev ppp0 2>/dev/null | grep -q 203.0.113.2 && ip route show default | grep -q ppp0; }
ppp
agrees 'after PPP'

# MARK: IPsec
xfrm() {
    cable wire
    ip addr add 192.0.2.2/24 dev wire; ip -n far addr add 192.0.2.1/24 dev wire
    ip route add default via 192.0.2.1 dev wire
    local key=0x0123456789abcdef0123456789abcdef01234567
    if ! ip link add sec0 type xfrm dev wire if_id 7 2>/dev/null; then skip 'XFRM' 'the kernel has none'; ip link del wire; return; fi
    ip link set sec0 up; ip addr add 10.10.0.2/24 dev sec0
    ip route add 192.0.2.1/32 dev wire; ip route replace default dev sec0
    is '(packets) without a state and a policy nothing leaves' '10.10.0.2 over sec0' "$(leaves $probe)"
    ip xfrm state add src 192.0.2.2 dst 192.0.2.1 proto esp spi 7 reqid 7 mode tunnel if_id 7 aead 'rfc4106(gcm(aes))' $key 128
    ip xfrm policy add dir out if_id 7 tmpl src 192.0.2.2 dst 192.0.2.1 proto esp reqid 7 mode tunnel
    goes 'with them they leave, wrapped' '10.10.0.2 over sec0' $probe
    path_is 'an XFRM interface is a tunnel over its wire' \
        '[.status, .usesTunnel, .interfaces[0].name, .interfaces[0].underlying]' '["satisfied",true,"sec0",["wire"]]'
    set_mark
    ip -n far link set wire down; await_carrier wire 0
    path_is 'without the wire it is no path' "$verdict" 'unsatisfied noCarrier'
    announces 5 'and the watch says so' 'unsatisfied noCarrier'
    ip -n far link set wire up; await_carrier wire 1
    ip link del sec0
    ip xfrm policy flush; ip xfrm state flush
    ip route replace default via 192.0.2.1 dev wire

    # Policies without an interface are not in the routes.
    ip xfrm policy add dir out dst 17.0.0.0/8 action block
    goes 'a policy refuses after the route is found' EPERM $probe
    path_is 'a policy for one destination is none for the path' .status satisfied
    ip xfrm policy flush; ip xfrm policy add dir out dst 0.0.0.0/0 action block
    goes 'also one for all destinations' EPERM 193.0.14.129
    is 'what such a policy refuses is a limit, and documented' satisfied "$(path .status)"
    ip xfrm policy flush
    ip link del wire
}
xfrm
agrees 'after IPsec'

# MARK: Two advertised routers
routers() {
    local name
    for name in up1 up2; do
        ip netns add "$name"
        ip link add "$name" type veth peer name "$name" netns "$name"
        ip netns exec "$name" sysctl -qw net.ipv6.conf.all.forwarding=1 "net.ipv6.conf.$name.accept_dad=0"
        # Shorter times than usual, so that a router is missed after seconds.
        sysctl -qw "net.ipv6.conf.$name.accept_dad=0" "net.ipv6.conf.$name.accept_ra=2" \
            "net.ipv6.neigh.$name.base_reachable_time_ms=2000" "net.ipv6.neigh.$name.delay_first_probe_time=1"
        ip -n "$name" link set "$name" up; ip link set "$name" up
    done
    within 10 has_link_local up1; within 10 has_link_local up2
    for name in up1 up2; do ip netns exec "$name" python3 /run/packets.py advertise "$name" 4 & done
    within 20 has_two_routers || { skip 'two advertised routers' 'no advertisement arrived'; return; }
    sleep 4
    local first second
    first=$(path '.interfaces[0].name') second=$(path '.interfaces[1].name')
    is 'two advertised routers are two interfaces' 'up1 up2' "$(printf '%s\n' "$first" "$second" | sort | paste -sd' ')"
    is '(packets) they leave by the first' "$first" "$(leaves $probe6 | awk '{ print $NF }')"
    set_mark
    # The router is gone, its cable stays.
    ip -n "$first" -6 addr flush dev "$first"
    within 40 leaves_by "$second"
    is '(packets) when the first router is silent they leave by the second' "$second" "$(leaves $probe6 | awk '{ print $NF }')"
    path_is 'a fresh answer says so' '.interfaces[0].name' "$second"
    if within 35 has_update ".interfaces[0].name == \"$second\""; then pass 'and the watch does'
    else fail 'and the watch does' "an update with $second first" "$(marked | jq -rc '.interfaces[0].name' | paste -sd,)"; fi
    for name in up1 up2; do ip link del "$name"; ip netns del "$name"; done
}
has_link_local() { ip -6 addr show dev "$1" scope link | grep -q fe80; }
has_two_routers() { [ "$(ip -6 route show default proto ra | grep -c via)" = 2 ]; }
leaves_by() { [ "$(leaves $probe6 | awk '{ print $NF }')" = "$1" ]; }
routers
agrees 'after the routers'
finish
