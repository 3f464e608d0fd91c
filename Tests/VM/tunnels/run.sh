#!/bin/bash
# The way of a tunnel's own packets: WireGuard, OpenVPN's kind of tunnel, GRE, 6in4 and IPsec, each with its server
# beyond a router, in the network of the second card, and without a route. Pings through the tunnel judge first.
set -u
. "$(dirname "$0")/helpers.sh"

modprobe -q -a wireguard veth macvlan tun ip_gre sit xfrm_interface esp4 2>/dev/null
ends=()
beyond=203.0.113.5 neighbour=198.51.100.9 own=192.0.2.2 own_lan=198.51.100.2

# Two cards: `wan` leads to a router and the servers beyond it, `lan` into a network with a server of its own. Each is a
# macvlan over one end of a pair, because the end of a pair is no card.
card() { # NAME FAR_NAMESPACE
    ip link add "under-$1" type veth peer name "$1" netns "$2"
    ip -n "$2" link set "$1" up
    ip link set "under-$1" up
    ip link add "$1" link "under-$1" type macvlan mode passthru
    ip link set "$1" up
}
lay_out() {
    ip netns add far; ip netns add site
    for space in far site; do ip -n $space link set lo up; done
    card wan far; card lan site
    ip addr add $own/24 dev wan; ip -n far addr add 192.0.2.1/24 dev wan; ip -n far addr add $beyond/32 dev lo
    ip addr add $own_lan/24 dev lan; ip -n site addr add $neighbour/24 dev lan
    within 10 operstate_is wan up; within 10 operstate_is lan up
}
clear_up() {
    ip link del t0 2>/dev/null
    ip xfrm policy flush; ip xfrm state flush
    ip netns del far; ip netns del site
    within 10 has_no_cards
}
has_no_cards() { ! ip link show under-wan >/dev/null 2>&1 && ! ip link show under-lan >/dev/null 2>&1; }
carrier() { ip -n "$1" link set "$2" "$3"; if [ "$3" = up ]; then within 10 operstate_is "$2" up; else within 10 is_not_up "$2"; fi; sleep 1.2; }
is_not_up() { ! operstate_is "$1" up; }

# MARK: The kinds: make_KIND FAR_NAMESPACE SERVER OWN_ADDRESS makes t0 at both ends, 10.9.0.2 here and 10.9.0.1 there.
both_ends() { # FAR_NAMESPACE
    ip addr add 10.9.0.2/24 dev t0; ip link set t0 up
    ip -n "$1" addr add 10.9.0.1/24 dev t0; ip -n "$1" link set t0 up
}
make_wireguard() {
    local near far; near=$(wg genkey) far=$(wg genkey)
    ip link add t0 type wireguard && ip -n "$1" link add t0 type wireguard || return
    wg set t0 private-key <(echo "$near") peer "$(wg pubkey <<<"$far")" endpoint "$2:51820" allowed-ips 0.0.0.0/0
    ip netns exec "$1" wg set t0 private-key <(echo "$far") listen-port 51820 peer "$(wg pubkey <<<"$near")" \
        allowed-ips 10.9.0.2/32
    both_ends "$1"
}
make_program() {
    ip netns exec "$1" socat UDP-LISTEN:5000,bind="$2" TUN:10.9.0.1/24,tun-name=t0,iff-no-pi,up 2>/dev/null &
    ends=("$!")
    sleep 0.5
    socat UDP:"$2":5000,bind="$3" TUN:10.9.0.2/24,tun-name=t0,iff-no-pi,up 2>/dev/null &
    ends+=("$!")
    within 10 ip link show t0 >/dev/null 2>&1
}
make_gre() {
    ip link add t0 type gre remote "$2" local "$3" && ip -n "$1" link add t0 type gre remote "$3" local "$2" || return
    both_ends "$1"
}
make_sit() {
    ip link add t0 type sit remote "$2" local "$3" && ip -n "$1" link add t0 type sit remote "$3" local "$2" || return
    both_ends "$1"
    ip -6 addr add 2001:db8:9::2/64 dev t0 nodad; ip -n "$1" -6 addr add 2001:db8:9::1/64 dev t0 nodad
}
make_xfrm() {
    local key=0x0123456789abcdef0123456789abcdef01234567 space
    ip link add t0 type xfrm if_id 7 && ip -n "$1" link add t0 type xfrm if_id 7 || return
    for space in '' "-n $1"; do
        # shellcheck disable=SC2086
        for way in "$3 $2 7" "$2 $3 8"; do
            set -- "$1" "$2" "$3" $way
            ip $space xfrm state add src "$4" dst "$5" proto esp spi "$6" reqid 7 mode tunnel if_id 7 \
                aead 'rfc4106(gcm(aes))' $key 128
        done
    done
    ip xfrm policy add dir out if_id 7 tmpl src "$3" dst "$2" proto esp reqid 7 mode tunnel
    ip xfrm policy add dir in if_id 7 tmpl src "$2" dst "$3" proto esp reqid 7 mode tunnel
    ip -n "$1" xfrm policy add dir out if_id 7 tmpl src "$2" dst "$3" proto esp reqid 7 mode tunnel
    ip -n "$1" xfrm policy add dir in if_id 7 tmpl src "$3" dst "$2" proto esp reqid 7 mode tunnel
    both_ends "$1"
}

# passes WHAT 0|1: whether pings get through the tunnel, by which everything else is judged.
passes() {
    case $kind in sit) target=2001:db8:9::1 ;; *) target=10.9.0.1 ;; esac
    is "(packets) $kind: $1" "$2" "$(ping -c 2 -i 0.3 -W 2 -q $target >/dev/null 2>&1 && echo 0 || echo 1)"
}
lead_into_tunnel() { if [ "$kind" = sit ]; then ip -6 route add default dev t0; else ip route replace default dev t0; fi; }
state='.status + " " + (.unsatisfiedReason // "-") + " " + (.interfaces[0].underlying // [] | join("+"))'
doubt='[.status, .diagnosis.code] | join(" ")'
# The kernel tells the servers of some kinds to everybody, and that of WireGuard to root.
tells_server() { [[ $kind = gre || $kind = sit || $kind = wireguard ]]; }
# unprivileged FILTER: a value of the path that a user without rights sees.
unprivileged() { setpriv --reuid 65534 --regid 65534 --clear-groups $pathctl status --json --direct | jq -rc "$1"; }

for kind in wireguard program gre sit xfrm; do
    # MARK: The server is beyond a router.
    lay_out
    ip route add $beyond via 192.0.2.1 dev wan
    if ! make_$kind far $beyond $own; then skip "$kind" 'the kernel has none'; clear_up; continue; fi
    ip -n far route add default dev t0 2>/dev/null
    lead_into_tunnel
    passes 'the tunnel to a server beyond the router works' 0
    path_is "$kind: the tunnel rests on the card of the router" "$state" 'satisfied - wan'
    carrier far wan down
    passes 'nothing gets through without the card' 1
    path_is "$kind: it is no path without that card, though the other is alive" "$state" 'unsatisfied noCarrier '
    carrier far wan up
    within 10 verdict_is 'satisfied other'
    passes 'with the card it works again' 0
    path_is "$kind: with the card it is a path again" "$state" 'satisfied - wan'
    ip route del $beyond via 192.0.2.1 dev wan
    passes 'nothing gets through without a route to the server' 1
    if tells_server; then path_is "$kind: without a route to its server it is no path" "$state" 'unsatisfied noRoute '
    else path_is "$kind: without any route to a router there is a doubt" "$doubt" 'satisfied tunnelWithoutWay'; fi
    if [ $kind = wireguard ]; then
        path_is 'wireguard: the loop names the tunnel' .diagnosis.subject t0
        is 'wireguard: to a user without rights it is a doubt' 'satisfied tunnelWithoutWay' "$(unprivileged "$doubt")"
        is 'wireguard: no explanation names its server' '' "$($pathctl explain --direct | grep -F $beyond)"
    fi
    kill "${ends[@]}" 2>/dev/null; wait "${ends[@]}" 2>/dev/null; ends=()
    clear_up

    # MARK: The server is in the network of the second card.
    lay_out
    make_$kind site $neighbour $own_lan
    lead_into_tunnel
    passes 'the tunnel to a neighbour works' 0
    if tells_server; then path_is "$kind: the tunnel rests on the card of the neighbour" "$state" 'satisfied - lan'
    else path_is "$kind: a tunnel to a neighbour is a path" .status satisfied; fi
    ip addr flush dev wan
    carrier far wan down
    passes 'it works without the other card' 0
    path_is "$kind: it is a path without the other card" .status satisfied
    carrier site lan down
    passes 'nothing gets through without its card' 1
    path_is "$kind: it is no path without its card" .status unsatisfied
    kill "${ends[@]}" 2>/dev/null; wait "${ends[@]}" 2>/dev/null; ends=()
    clear_up
done

# MARK: WireGuard, with rules for its mark as wg-quick sets them
kind=wireguard
quick() {
    lay_out
    ip route add default via 192.0.2.1 dev wan
    make_wireguard far $beyond $own || return
    ip -n far route add default dev t0
    wg set t0 fwmark 51820
    ip route add default dev t0 table 51820
    ip rule add not fwmark 51820 table 51820; ip rule add table main suppress_prefixlength 0
}
if quick; then
    passes 'the tunnel with a mark works' 0
    path_is 'its packets leave by the rule for the mark' "$state" 'satisfied - wan'
    is 'a user without rights sees the same path' 'satisfied - wan' "$(unprivileged "$state")"

    # The drop-in of the documents, as it stands there.
    . "$job/service.sh"
    install_files
    mkdir -p /etc/systemd/system/pathmonitord.service.d
    awk '/^    # \/etc\/systemd\/system\/pathmonitord.service.d\/wireguard.conf/ { inside = 1 } /^[^ ]/ { inside = 0 }
        inside { sub(/^    /, ""); print }' "$job/docs/service.md" \
        >/etc/systemd/system/pathmonitord.service.d/wireguard.conf
    is 'the documents have the drop-in' 2 "$(grep -c CAP_NET_ADMIN /etc/systemd/system/pathmonitord.service.d/wireguard.conf)"
    systemctl daemon-reload; start_service
    within 10 served_verdict_is 'satisfied other'
    served_state() { served status --json | jq -rc "$state"; }
    is 'the service with the capability says the same' 'satisfied - wan' "$(served_state)"
    ip route del default via 192.0.2.1 dev wan
    passes 'nothing gets through without a route for the mark' 1
    path_is 'without a route for the mark it is no path' "$state" 'unsatisfied noRoute '
    within 10 served_verdict_is 'unsatisfied noRoute'
    is 'nor is it for the service' 'unsatisfied noRoute ' "$(served_state)"
    ip route add default via 192.0.2.1 dev wan
    within 10 served_verdict_is 'satisfied other'
    is 'the route returns, and the path with it' 'satisfied - wan' "$(served_state)"
    ip route del default via 192.0.2.1 dev wan
    rm /etc/systemd/system/pathmonitord.service.d/wireguard.conf
    systemctl daemon-reload; systemctl restart pathmonitord.service
    within 10 served_verdict_is 'satisfied other'
    is 'without the capability the service has a doubt' 'satisfied tunnelWithoutWay' \
        "$(served status --json | jq -rc "$doubt")"
    systemctl stop pathmonitord.socket pathmonitord.service
else skip 'WireGuard with a mark' 'the kernel has none'; fi
ip rule del not fwmark 51820 table 51820; ip rule del table main suppress_prefixlength 0
clear_up

# MARK: A tunnel that was moved into a namespace sends its own packets where it was made.
lay_out
ip route add $beyond via 192.0.2.1 dev wan
if make_wireguard far $beyond $own; then
    ip -n far route add default dev t0
    ip netns add box; ip -n box link set lo up
    ip link set t0 netns box
    ip link add card-far type veth peer name card netns box; ip link set card-far up; ip -n box link set card up
    ip -n box addr add 10.9.0.2/24 dev t0; ip -n box link set t0 up; ip -n box route add default dev t0
    ip -n box addr add 10.77.0.2/24 dev card
    is '(packets) the moved tunnel works' 0 \
        "$(ip netns exec box ping -c 2 -i 0.3 -W 2 -q 10.9.0.1 >/dev/null 2>&1 && echo 0 || echo 1)"
    is 'it is a path, for its server is not looked up there' satisfied \
        "$(ip netns exec box $pathctl status --json --direct | jq -rc .status)"
    ip netns del box
else skip 'a moved WireGuard' 'the kernel has none'; fi
clear_up
finish
