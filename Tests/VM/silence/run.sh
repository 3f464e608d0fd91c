#!/bin/bash
# Changes after the last message about them. `ip link set … down` and the removal of an address or a next-hop object are
# announced first, and remove the IPv4 routes afterwards, without a message. An answer in between is the old one, and
# must not be cached. Another link is there to take over, each time.
#
# The old answer comes only by chance, so everything is done several times: with IPv6, whose messages come later, and
# without.
set -u
. "$(dirname "$0")/helpers.sh"
rounds=5

modprobe -q veth
ip netns add far
for number in 1 2; do
    ip link add wire$number type veth peer name far$number netns far
    ip netns exec far ip link set far$number up
    ip link set wire$number up
    ip addr add 192.0.$number.2/24 dev wire$number
done
ip route add default via 192.0.2.1 dev wire2 metric 100
ip route add default via 192.0.1.1 dev wire1 metric 10
start_watch

# follows NAME: the last update has a satisfied path over the interface.
follows() { [ "$(tail -n 1 $updates | jq -c '[.status, .interfaces[0].name]')" = "[\"satisfied\",\"$1\"]" ]; }

# times WHAT CHANGE UNDO: how often the watch follows the path to wire2 and back.
times() {
    local what=$1 change=$2 undo=$3 round missed=0 returned=0 stale truth
    for ((round = 0; round < rounds; round++)); do
        eval "$change"
        within 4 follows wire2 || {
            missed=$((missed + 1))
            stale=$(tail -n 1 $updates | jq -c "[$verdict, .interfaces[0].name]")
            truth=$(path "[$verdict, .interfaces[0].name]")
        }
        eval "$undo"
        within 4 follows wire1 && returned=$((returned + 1))
    done
    if [ $missed = 0 ]; then pass "$what: the watch follows to the other link"
    else fail "$what: the watch follows to the other link" "$rounds of $rounds times" \
        "$((rounds - missed)), and otherwise $stale even after 4 s, while a fresh status says $truth"; fi
    is "$what: it follows back" "$rounds of $rounds times" "$returned of $rounds times"
    agrees "($what)"
}

both() { # both WHERE
    within 10 follows wire1 || fail "the path is over wire1 $1" wire1 "$(path .interfaces)"
    times "a link is set down $1" 'ip link set wire1 down' \
        'ip link set wire1 up; ip route add default via 192.0.1.1 dev wire1 metric 10'
    times "the address is removed $1" 'ip addr del 192.0.1.2/24 dev wire1' \
        'ip addr add 192.0.1.2/24 dev wire1; ip route add default via 192.0.1.1 dev wire1 metric 10'
    ip route del default metric 10
    if ip nexthop add id 1 via 192.0.1.1 dev wire1 2>/run/error && ip route add default nhid 1 metric 10; then
        within 5 follows wire1
        times "a next-hop object is removed $1" 'ip nexthop del id 1' \
            'ip nexthop add id 1 via 192.0.1.1 dev wire1; ip route add default nhid 1 metric 10'
        ip nexthop del id 1
    else
        skip "a next-hop object is removed $1" "$(cat /run/error)"
    fi
    ip route add default via 192.0.1.1 dev wire1 metric 10
}
both 'with IPv6'
for setting in all default; do echo 1 >/proc/sys/net/ipv6/conf/$setting/disable_ipv6; done
both 'without IPv6'
is 'the watch has nothing to complain of' '' "$(cat /run/watch-errors)"
finish
