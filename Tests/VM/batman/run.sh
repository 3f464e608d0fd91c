#!/bin/bash
# batman-adv, a mesh of Ethernet links. The link bat0 never loses its carrier, neither with the cable of its card nor
# with the card itself.
set -u
. "$(dirname "$0")/helpers.sh"
needs 'kernel module batman-adv' modprobe batman-adv
needs 'package batctl' unpack_packages
make_card
mesh() { batctl meshif bat0 "$@" >/run/batctl.log 2>&1; }

# The other node of the mesh is the router.
ip netns exec far batctl meshif bat0 interface add card-far >/run/batctl.log 2>&1 &&
    mesh interface add card || fail 'there is a mesh (not about the program)' bat0 "$(cat /run/batctl.log)"
ip -n far link set bat0 up; ip -n far addr add 192.0.2.1/24 dev bat0
ip link set bat0 up; ip addr add 192.0.2.2/24 dev bat0; ip route add default via 192.0.2.1
reaches() { ping -c 1 -W 1 -q 192.0.2.1 >/dev/null; }
# A node sends nothing to a neighbour before it has heard many of its broadcasts, one a second.
is '(packets) the mesh reaches the router' 0 "$(within 120 reaches; echo $?)"
start_watch
path_is 'a path over a mesh is Ethernet' "$verdict" 'satisfied wiredEthernet'
type_is 'so is bat0' bat0 wiredEthernet

loses 'over bat0'
regains 'over bat0' 'satisfied wiredEthernet'
agrees 'over bat0'

ip link set card down
path_is 'with the card switched off there is no path' .status unsatisfied
ip link set card up
comes_to 'switched on it is back' 'satisfied wiredEthernet'

mesh interface del card
path_is 'a mesh without a card makes no path' .status unsatisfied
mesh interface add card
comes_to 'with the card it is back' 'satisfied wiredEthernet'

# As in a router of a community network: the mesh is a port of the bridge for the house.
ip addr flush dev bat0
ip link add house type bridge; ip link set bat0 master house; ip link set house up
ip addr add 192.0.2.2/24 dev house; ip route add default via 192.0.2.1
comes_to 'a bridge over a mesh makes a path' 'satisfied wiredEthernet'
loses 'over a bridge'
regains 'over a bridge' 'satisfied wiredEthernet'
agrees 'at the end'
is 'the watches have nothing to complain of' '' "$(cat /run/watch-errors)"
finish
