#!/bin/bash
# The cases of cases.txt, on a kernel that makes all kinds of links. Then the service under systemd, with and without
# the right to read the servers of WireGuard.
set -u
job=$(cd "$(dirname "$0")" && pwd)
. "$job/service.sh"
needs 'packages openvswitch-switch and pppoe' unpack_packages

modprobe -q mac80211_hwsim radios=3; modprobe -q wwan_hwsim devices=4
modprobe -q -a dummy bonding 8021q bridge wireguard macvlan macvtap ipvlan ipvtap vrf ip_gre ipip sit ip6_tunnel \
    ip6_gre vxlan veth tun team geneve xfrm_interface esp4 nlmon vcan macsec ip_vti ip6_vti l2tp_eth l2tp_netlink \
    batman-adv openvswitch ppp_generic ppp_async pppox pppoe
udevadm settle

# MARK: The functions of the cases, in which NS is the namespace of the case

# wireguard SERVER: x0 at both ends, with 10.9.0.2 here and 10.9.0.1 there. NEAR is the namespace in which it is made.
wireguard() {
    local near far here=${NEAR:-$NS}; near=$(wg genkey) far=$(wg genkey)
    ip -n "$here" link add x0 type wireguard && ip -n "${NS}p" link add x0 type wireguard &&
        ip netns exec "$here" wg set x0 private-key <(echo "$near") peer "$(wg pubkey <<<"$far")" \
            endpoint "$1:51820" allowed-ips 0.0.0.0/0 &&
        ip netns exec "${NS}p" wg set x0 private-key <(echo "$far") listen-port 51820 peer "$(wg pubkey <<<"$near")" \
            allowed-ips 10.9.0.2/32 &&
        ip -n "$here" addr add 10.9.0.2/24 dev x0 && ip -n "$here" link set x0 up &&
        ip -n "${NS}p" addr add 10.9.0.1/24 dev x0 && ip -n "${NS}p" link set x0 up
}
# reaches ADDRESS: packets get there and back.
reaches() { ip netns exec "$NS" ping -c 10 -W 5 -q "$1" -i 0.5 | grep -v ' 0 received'; }
fallback() { ip -n "$NS" link set "$1" up && ip -n "$NS" addr add 198.18.0.1/24 dev "$1"; true; }
# tunnel KIND,WORD... [WORD...]: x0 of that kind.
tunnel() {
    local words=${1//,/ }
    case $1 in
        l2tp)
            ip -n "$NS" l2tp add tunnel tunnel_id 1 peer_tunnel_id 1 encap udp local 192.0.2.2 remote 203.0.113.5 \
                udp_sport 1701 udp_dport 1701 &&
                ip -n "$NS" l2tp add session name x0 tunnel_id 1 session_id 1 peer_session_id 1 ;;
        # IPsec has its addresses in states and policies.
        xfrm*) ip -n "$NS" link add x0 type $words ;;
        *) ip -n "$NS" link add x0 type ${words%% *} "${@:2}" $([[ $words = *' '* ]] && echo "${words#* }") ;;
    esac
}
# open_vswitch: the only one of the VM, for this namespace.
open_vswitch() {
    mkdir -p /etc/openvswitch /run/openvswitch /var/log/openvswitch
    ovsdb-tool create /etc/openvswitch/conf.db /usr/share/openvswitch/vswitch.ovsschema &&
        ip netns exec "$NS" ovsdb-server --remote=punix:/run/openvswitch/db.sock --pidfile --detach --log-file &&
        timeout 20 ovs-vsctl --no-wait init &&
        ip netns exec "$NS" /usr/lib/openvswitch-switch/ovs-vswitchd --pidfile --detach --log-file
}
# dial_modem: the line ppp7, of two pseudoterminals. It has its address before it is up, and a route only then.
dial_modem() {
    ip netns exec "$NS" pppd noauth local nodetach nodefaultroute unit 7 198.51.100.20:198.51.100.21 \
        pty "ip netns exec ${NS}p pppd noauth local notty 198.51.100.21:198.51.100.20" &
    timeout 40 sh -c 'until ip -n "$NS" link show ppp7 up | grep -q LOWER_UP; do sleep 0.1; done'
}
# dial_pppoe: the line ppp0 over eth0. As at a DSL line, the server's own port keeps its carrier without the cable, and
# so the server keeps the session. The echoes would end it a minute after the cable was pulled, at the earliest.
dial_pppoe() {
    printf '%s\n' '"user" * "secret" *' >/etc/ppp/chap-secrets
    echo require-chap >/run/server-options
    ip -n "${NS}p" link add switch type bridge
    ip -n "${NS}p" link set switch up && ip -n "${NS}p" link set p0 master switch
    ip netns exec "${NS}p" pppoe-server -F -I switch -L 203.0.113.1 -R 203.0.113.10 -N 5 -O /run/server-options &
    ip netns exec "$NS" pppd plugin rp-pppoe.so eth0 user user password secret noauth noipdefault defaultroute \
        nodetach lcp-echo-interval 30 lcp-echo-failure 3 &
    timeout 60 sh -c 'until ip -n "$NS" route show default | grep ppp0; do sleep 0.1; done'
}
# radio LINK NAMESPACE: moves a radio there.
radio() { iw phy "phy$(iw dev "$1" info | awk '$1 == "wiphy" { print $2 }')" set netns name "$2"; }
# access_point LINK NAMESPACE: an open access point of the link's name.
access_point() {
    printf '%s\n' "interface=$1" driver=nl80211 "ssid=$1" hw_mode=g channel=1 >"/run/$1.conf"
    ip netns exec "$2" hostapd -B -P "/run/$1.pid" "/run/$1.conf"
}
# join LINK NAME: connects the radio to the access point of the name.
join() {
    ip -n "$NS" link set "$1" up && timeout 40 sh -c 'until ip -n "$NS" link show "$0" | grep -q "state UP"; do
        ip netns exec "$NS" iw dev "$0" connect "$1"; sleep 3
    done' "$1" "$2"
}
export -f wireguard reaches fallback tunnel open_vswitch dial_modem dial_pppoe radio access_point join

python3 "$job/cases.py" $pathctl "$job/cases.txt" | tee /run/cases.tap
checks=$(grep -cE '^(not )?ok - ' /run/cases.tap) failures=$(grep -c '^not ok - ' /run/cases.tap)
is 'each step of each case was judged' "$(sed -nE 's/^case (.*)/\1/p' "$job/cases.txt" | sort)" \
    "$(sed -nE 's/^(not )?ok - (.*), step 0.*/\2/p' /run/cases.tap | sed -E 's/ \([^ ]+\)$//' | sort -u)"

# MARK: The service with the drop-in of the documents, as it stands there, and without it
# The end of a pair is no card, and radios without a network would be cards without a cable.
modprobe -r mac80211_hwsim wwan_hwsim
install_files; make_wire; start_service
ip link add card link wire type macvlan mode passthru; ip link set wire up; ip link set card up
ip addr add 192.0.2.2/24 dev card; ip route add default via 192.0.2.1 dev card
echo nameserver 192.0.2.1 >/etc/resolv.conf
ip link add wg0 type wireguard
wg set wg0 private-key <(wg genkey) fwmark 51820 peer "$(wg genkey | wg pubkey)" endpoint 203.0.113.5:51820 \
    allowed-ips 0.0.0.0/0
ip addr add 10.9.0.2/24 dev wg0; ip link set wg0 up; ip route add default dev wg0 table 51820
ip rule add not fwmark 51820 table 51820; ip rule add table main suppress_prefixlength 0
drop_in=/etc/systemd/system/pathmonitord.service.d/wireguard.conf
mkdir -p "${drop_in%/*}"
awk '/^    # \/etc\/systemd\/system\/pathmonitord.service.d\/wireguard.conf/ { inside = 1 } /^[^ ]/ { inside = 0 }
    inside { sub(/^    /, ""); print }' "$job/docs/service.md" >$drop_in
is 'the documents have the drop-in' 2 "$(grep -c CAP_NET_ADMIN $drop_in)"
systemctl daemon-reload; systemctl restart pathmonitord.service
answer='[.status, .unsatisfiedReason // .diagnosis.code, (.interfaces[0].underlying // [] | join("+"))] | join(" ")'
serves() {
    served_is() { [ "$(served status --json | jq -r "$answer")" = "$1" ]; }
    is "$1" "$2" "$(within 10 served_is "$2"; served status --json | jq -r "$answer")"
}
is 'it reads the list of PPPoE sessions in its sandbox' 0 "$(nsenter --mount --target "$(pid)" \
    setpriv --reuid pathmonitord --clear-groups grep -q Address /proc/thread-self/net/pppoe 2>&1; echo $?)"
serves 'with it the service sees the way of the mark' 'satisfied connected card'
ip route del default via 192.0.2.1 dev card
serves 'and that there is none' 'unsatisfied noRoute '
is 'no explanation names the server' '' "$(served explain | grep -F 203.0.113.5)"
rm $drop_in
systemctl daemon-reload; systemctl restart pathmonitord.service
serves 'without it the service has a doubt' 'satisfied tunnelWithoutWay card'
is 'and so has a user without rights' 'satisfied tunnelWithoutWay card' \
    "$(as nobody pathctl status --json --direct | jq -r "$answer")"
finish
