#!/bin/bash
# One network device of each kind in the kernel: its type, and the path over a default route through it.
set -u
. "$(dirname "$0")/helpers.sh"

modprobe -q mac80211_hwsim radios=2; modprobe -q wwan_hwsim devices=1
modprobe -q -a dummy bonding 8021q bridge wireguard macvlan macvtap ipvlan ipvtap vrf ip_gre \
    ipip sit ip6_tunnel ip6_gre vxlan veth tun ifb team team_mode_activebackup geneve xfrm_interface nlmon vcan macsec \
    ip_vti ip6_vti bareudp hsr l2tp_eth l2tp_netlink gtp 2>/dev/null
udevadm settle

# add NAME ARGUMENTS...: adds a device, or says why its checks are skipped.
add() {
    local error
    error=$(ip link add "$@" 2>&1) && return
    skip "the kind of '$*'" "${error//$'\n'/ }"
    return 1
}

start_watch
# The fallback devices of the tunnel modules: always present, and without a way out.
fallbacks=()
for name in gre0 gretap0 erspan0 tunl0 sit0 ip6tnl0 ip6gre0 ip_vti0 ip6_vti0; do
    [ -e /sys/class/net/$name ] && fallbacks+=("$name")
done
for number in "${!fallbacks[@]}"; do
    ip link set "${fallbacks[number]}" up 2>/dev/null
    ip addr add "198.18.$number.1/24" dev "${fallbacks[number]}" 2>/dev/null
done
path_is "fallback devices that are up and have addresses make no path (${fallbacks[*]})" .status unsatisfied
never 'nor does the watch think so' satisfied
is 'they are of type other' "$(printf '%s other\n' "${fallbacks[@]}" | sort)" \
    "$($pathctl interfaces --json --direct | jq -r '.interfaces[] | "\(.name) \(.type)"' |
        grep -E "^($(IFS='|'; echo "${fallbacks[*]}")) " | sort)"
for name in "${fallbacks[@]}"; do ip link set "$name" down; ip addr flush dev "$name"; done

# MARK: Sinks
sink() { # sink NAME KIND
    add "$1" type "$2" || return
    type_is "$2 is of type other" "$1" other
    ip link set "$1" up
    if ip addr add 192.0.2.9/24 dev "$1" 2>/dev/null && ip route add default dev "$1" 2>/dev/null; then
        path_is "a default route over $2 makes no path" "$verdict" 'unsatisfied sinkInterface'
    else
        path_is "$2, which takes no IPv4 address, makes no path" .status unsatisfied
    fi
    if ip -6 addr add 2001:db8:9::9/64 dev "$1" nodad 2>/dev/null && ip -6 route add default dev "$1" 2>/dev/null; then
        path_is "an IPv6 default route over $2 makes no path either" "$verdict" 'unsatisfied sinkInterface'
    fi
    ip link del "$1"
}
set_mark
for kind in dummy ifb nlmon vcan; do sink "sink-$kind" $kind; done
never 'no sink was satisfied at any moment' satisfied

# MARK: The media: a pair, a radio, a modem
ip netns add far
ip link add wire type veth peer name wire-far netns far
ip netns exec far ip link set wire-far up
ip link add wire2 type veth peer name wire2-far netns far
ip netns exec far ip link set wire2-far up
ip link set wire up; ip link set wire2 up
type_is 'veth is of type wiredEthernet' wire wiredEthernet

# radio: connects wlan0 to an open access point in the namespace.
radio() {
    [ -e /sys/class/net/wlan0 ] || return
    iw phy "phy$(iw dev wlan1 info | awk '$1 == "wiphy" { print $2 }')" set netns name far
    printf '%s\n' interface=wlan1 driver=nl80211 ssid=simulated hw_mode=g channel=1 >/run/hostapd.conf
    access_point
    ip link set wlan0 up
    join
}
access_point() { ip netns exec far hostapd -B -P /run/hostapd.pid /run/hostapd.conf >/dev/null; }
join() {
    iw dev wlan0 disconnect 2>/dev/null
    iw dev wlan0 connect simulated
    within 20 operstate_is wlan0 up || { iw dev wlan0 connect simulated; within 20 operstate_is wlan0 up; }
}
media=(wire:wiredEthernet)
if radio; then media+=(wlan0:wifi); type_is 'a radio is of type wifi' wlan0 wifi
else skip 'a radio' 'no simulated radio, or no connection'; fi
if [ -e /sys/class/net/wwan0 ]; then
    media+=(wwan0:cellular); ip link set wwan0 up; type_is 'a modem is of type cellular' wwan0 cellular
else
    skip 'a modem' 'no simulated modem'
fi

# MARK: What is stacked on a medium inherits its type
stacked() { # stacked KIND LOWER TYPE ARGUMENTS...
    local kind=$1 lower=$2 type=$3; shift 3
    add link "$lower" stacked type "$@" || return
    is "$kind over $lower is of type $type, rests on it, and costs what it costs" \
        "[\"$type\",[\"$lower\"],$(costs "$type")]" "$(interface stacked '[.type, .underlying, .isExpensive]')"
    ip link del stacked
}
costs() { if [ "$1" = cellular ]; then echo true; else echo false; fi; }
for medium in "${media[@]}"; do
    lower=${medium%:*} type=${medium#*:}
    # The modem carries no Ethernet frames: it can only be the port of a bond or a team, below.
    [ "$type" = cellular ] && continue
    stacked vlan "$lower" "$type" vlan id 10
    stacked 'vlan 802.1ad' "$lower" "$type" vlan protocol 802.1ad id 10
    stacked ipvlan "$lower" "$type" ipvlan
    stacked ipvtap "$lower" "$type" ipvtap
    stacked macvlan "$lower" "$type" macvlan mode bridge
    stacked macvtap "$lower" "$type" macvtap
    stacked macsec "$lower" "$type" macsec
done
if add link wire level1 type vlan id 10 && add link level1 level2 type macvlan; then
    type_is 'a macvlan over a vlan inherits through it' level2 wiredEthernet
    ip link del level1
fi
if add ring type hsr slave1 wire slave2 wire2; then
    type_is 'hsr over two wires is of type wiredEthernet' ring wiredEthernet
    ip link del ring
fi

# MARK: Ports
# port NAME MASTER: makes it a port; some have to be down for that.
port() { ip link set "$1" down; ip link set "$1" master "$2"; local status=$?; ip link set "$1" up; return $status; }
switch() { # switch KIND: a bridge or team
    add switch type "$1" || return
    ip link set switch up
    type_is "an empty $1" switch "$2"
    port wire switch
    is "$1 with a wire is of type wiredEthernet and rests on it" '["wiredEthernet",["wire"]]' \
        "$(interface switch '[.type, .underlying]')"
    ip link set wire nomaster
    if [[ " ${media[*]} " = *wlan0* ]]; then
        iw dev wlan0 disconnect; ip link set wlan0 down; iw dev wlan0 set 4addr on
        if port wlan0 switch 2>/run/error; then
            type_is "$1 with a radio is of type wifi" switch wifi
            port wire switch && [ "$1" = bridge ] &&
                type_is 'bridge with a radio and the pair of a container is still of type wifi' switch wifi
        else
            skip "$1 with a radio" "$(cat /run/error)"
        fi
        ip link set wlan0 nomaster; ip link set wlan0 down; iw dev wlan0 set 4addr off; ip link set wlan0 up
    fi
    ip link del switch
    ip link set wire up
}
switch bridge other
switch team wiredEthernet

over_modem() { # over_modem KIND ARGUMENTS...: the modem as the only port
    local kind=$1; shift
    add stacked type "$@" || return
    if port wwan0 stacked 2>/run/error; then
        is "$kind over wwan0 is of type cellular, rests on it, and costs what it costs" '["cellular",["wwan0"],true]' \
            "$(interface stacked '[.type, .underlying, .isExpensive]')"
        ip link set wwan0 nomaster
    else
        skip "$kind over wwan0" "$(cat /run/error)"
    fi
    ip link del stacked; ip link set wwan0 up
}
if [[ " ${media[*]} " = *wwan0* ]]; then
    over_modem bond bond mode active-backup miimon 100
    over_modem team team
fi

# MARK: A bond that fails over
if add bond0 type bond mode active-backup miimon 100 fail_over_mac active; then
    type_is 'a bond without a port is of type wiredEthernet' bond0 wiredEthernet
    port wire bond0; port wire2 bond0
    ip link set bond0 type bond primary wire primary_reselect always
    ip link set bond0 up; ip addr add 192.0.2.2/24 dev bond0
    ip route add default via 192.0.2.1
    rests_on() { has_update ".interfaces[0] | .name == \"bond0\" and .underlying == [\"$1\"] and .type == \"$2\""; }
    carries() { # carries WHAT PORT TYPE: an update says so
        if within 5 rests_on "$2" "$3"; then pass "$1"
        else
            fail "$1" "bond0 over $2, $3" \
                "$(marked | jq -c '.interfaces[0] | [.name, .type, .underlying]' | paste -sd,)"
        fi
    }
    carries 'a bond over two wires is of type wiredEthernet, and rests on the active one' wire wiredEthernet
    set_mark
    ip netns exec far ip link set wire-far down
    carries 'its wire is pulled: the watch says that it rests on the other' wire2 wiredEthernet
    agrees 'after a failover'
    never_settled 'once settled there was no moment without a path' unsatisfied
    set_mark
    ip netns exec far ip link set wire-far up
    carries 'its wire is plugged in: it rests on that again' wire wiredEthernet
    ip link set wire2 nomaster; ip link set wire2 up

    if [[ " ${media[*]} " = *wlan0* ]]; then
        port wlan0 bond0
        ip link set bond0 type bond primary wlan0
        set_mark
        join
        carries 'a bond whose radio takes over becomes of type wifi' wlan0 wifi
        path_is 'so does the path' .interfaceType wifi
        agrees 'when the radio carries the bond'
        set_mark
        kill "$(cat /run/hostapd.pid)"
        carries 'the access point goes: it becomes of type wiredEthernet' wire wiredEthernet
        path_is 'so does the path then' "$verdict" 'satisfied wiredEthernet'
        agrees 'when the wire carries the bond'
        never_settled 'once settled there was no moment without a path either' unsatisfied
        set_mark
        within 5 eval '! ip netns exec far pgrep hostapd >/dev/null'; access_point; join
        carries 'the access point is back: it is of type wifi again' wlan0 wifi
        ip link set wlan0 nomaster
    fi
    ip link del bond0; ip link set wire up
fi

# MARK: Tunnels
# The way out is the modem if there is one, so that the inherited type differs from the default.
if [[ " ${media[*]} " = *wwan0* ]]; then carrier=wwan0 expensive=true; else carrier=wire2 expensive=false; fi
ip addr add 198.51.100.2/32 dev $carrier; ip -6 addr add 2001:db8:1::2/64 dev $carrier nodad
ip route add default dev $carrier metric 100
comes_to "the way out is $carrier" "satisfied $(interface $carrier .type)"

# through NAME KIND [USESTUNNEL]: its type, then the path with a better default route over it.
through() {
    type_is "$2 is of type other" "$1" other
    ip link set "$1" up
    [ "$2" = ppp ] || ip addr add 10.9.0.2/24 dev "$1"
    if ! ip route add default dev "$1" metric 5 2>/run/error; then
        skip "a default route over $2" "$(cat /run/error)"
    elif [ "${3:-true}" = true ]; then
        path_is "a default route over $2: the path is a tunnel as expensive as $carrier" \
            '[.status, .interfaces[0].name, .interfaceType, .usesTunnel, .isExpensive, .interfaces[0].underlying]' \
            "[\"satisfied\",\"$1\",\"other\",true,$expensive,[\"$carrier\"]]"
    else
        path_is "a default route over $2: the path is over it, and no tunnel" \
            '[.status, .interfaces[0].name, .interfaceType, .usesTunnel]' "[\"satisfied\",\"$1\",\"other\",false]"
    fi
    ip route del default dev "$1" metric 5
}
near=198.51.100.2 far=203.0.113.1
near6=2001:db8:1::2 far6=2001:db8:2::1
# A tunnel that is also the way to its own server leads nowhere.
ip route add $far dev $carrier; ip -6 route add $far6 dev $carrier
tunnel() { # tunnel KIND ARGUMENTS...
    local kind=$1; shift
    add "t-$kind" type "$@" || return
    through "t-$kind" "$kind"
    ip link del "t-$kind"
}
tunnel wireguard wireguard
tunnel gre gre local $near remote $far
tunnel gretap gretap local $near remote $far
tunnel erspan erspan local $near remote $far key 1 seq erspan_ver 1
tunnel ipip ipip local $near remote $far
tunnel sit sit local $near remote $far mode any
tunnel vti vti local $near remote $far key 1
tunnel ip6tnl ip6tnl local $near6 remote $far6 mode any
tunnel ip6gre ip6gre local $near6 remote $far6
tunnel ip6gretap ip6gretap local $near6 remote $far6
tunnel vti6 vti6 local $near6 remote $far6 key 1
tunnel vxlan vxlan id 1 dstport 4789 local $near remote $far
tunnel geneve geneve id 1 remote $far
tunnel bareudp bareudp dstport 6635 ethertype ipv4
tunnel xfrm xfrm if_id 1
tunnel 'xfrm-dev' xfrm dev $carrier if_id 2

if ip l2tp add tunnel tunnel_id 1 peer_tunnel_id 1 encap udp local $near remote $far udp_sport 1701 udp_dport 1701 \
    2>/run/error && ip l2tp add session name t-l2tp tunnel_id 1 session_id 1 peer_session_id 1 2>/run/error; then
    through t-l2tp l2tp
    ip l2tp del session tunnel_id 1 session_id 1; ip l2tp del tunnel tunnel_id 1
else
    skip l2tp "$(cat /run/error)"
fi

for mode in tun tap; do
    # Without a program that holds it open, such a device has no carrier.
    ip tuntap add "t-$mode" mode $mode 2>/run/error || { skip $mode "$(cat /run/error)"; continue; }
    ip link set "t-$mode" up; ip addr add 10.9.0.3/24 dev "t-$mode"; ip route add default dev "t-$mode" metric 5
    path_is "$mode without a program behind it makes no path" "$verdict" 'unsatisfied linkDownRoute'
    ip route del default dev "t-$mode"; ip addr flush dev "t-$mode"
    socat -u "TUN,tun-name=t-$mode,tun-type=$mode,iff-no-pi" /dev/null 2>/run/error & reader=$!
    within 5 eval "[ \$(cat /sys/class/net/t-$mode/carrier) = 1 ]"
    through "t-$mode" $mode
    kill $reader; wait $reader 2>/dev/null
    ip link del "t-$mode"
done

# MARK: Others
if add t-vrf type vrf table 10; then
    type_is 'vrf is of type other' t-vrf other
    ip link set t-vrf up
    path_is 'a vrf is no path of its own' '[.interfaces[0].name, .usesTunnel]' "[\"$carrier\",false]"
    ip link del t-vrf
fi
pppd noauth local nodetach nodefaultroute unit 1 192.0.2.20:192.0.2.21 \
    pty 'ip netns exec far pppd noauth local notty 192.0.2.21:192.0.2.20' >/run/pppd.log 2>&1 & line=$!
if within 20 eval 'ip -4 -o addr show dev ppp1 2>/dev/null | grep -q 192.0.2.20'; then
    # A DSL line and a VPN look alike here, so it is no tunnel.
    through ppp1 ppp false
else
    skip ppp "$(tail -n 1 /run/pppd.log)"
fi
kill $line 2>/dev/null; wait $line 2>/dev/null
comes_to "without them the way out is $carrier again" "satisfied $(interface $carrier .type)"
agrees 'after all of them'
is 'the watch has nothing to complain of' '' "$(cat /run/watch-errors)"
finish
