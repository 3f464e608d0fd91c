#!/bin/bash
# Open vSwitch. A bridge of it is a link beside its cards: both are ports of one hidden link, ovs-system, which is
# always down, and the bridge itself never loses its carrier.
set -u
. "$(dirname "$0")/helpers.sh"
needs 'kernel module openvswitch' modprobe openvswitch
needs 'package openvswitch-switch' unpack_packages
make_card

switch() { timeout 20 ovs-vsctl "$@" >/run/ovs.log 2>&1 || fail "ovs-vsctl $1 (not about the program)" 0 "$(tail -n 1 /run/ovs.log)"; }
mkdir -p /etc/openvswitch /run/openvswitch /var/log/openvswitch
ovsdb-tool create /etc/openvswitch/conf.db /usr/share/openvswitch/vswitch.ovsschema &&
    ovsdb-server --remote=punix:/run/openvswitch/db.sock --pidfile --detach --log-file 2>/run/ovs.log &&
    timeout 20 ovs-vsctl --no-wait init &&
    /usr/lib/openvswitch-switch/ovs-vswitchd --pidfile --detach --log-file 2>>/run/ovs.log ||
    fail 'Open vSwitch runs (not about the program)' 'a switch' "$(tail -n 1 /run/ovs.log)"
switch add-br br0
switch add-port br0 card
ip -n far addr add 192.0.2.1/24 dev card-far
ip link set br0 up; ip addr add 192.0.2.2/24 dev br0; ip route add default via 192.0.2.1

reaches() { ping -c 1 -W 1 -q 192.0.2.1 >/dev/null; }
is '(packets) the bridge reaches the router' 0 "$(within 30 reaches; echo $?)"
start_watch
path_is 'a path over a bridge of Open vSwitch is Ethernet' "$verdict" 'satisfied wiredEthernet'
type_is 'so is the bridge' br0 wiredEthernet

loses 'with a card alone'
regains 'with a card alone' 'satisfied wiredEthernet'
agrees 'with a card alone'

# None of these leads to the outside.
switch add-port br0 tunnel -- set interface tunnel type=vxlan options:remote_ip=198.51.100.1
switch add-port br0 inner -- set interface inner type=internal
ip link set inner up
ip netns add container
ip link add pod type veth peer name eth0 netns container
ip -n container link set eth0 up; ip link set pod up
switch add-port br0 pod
loses 'beside a tunnel, an internal port and the pair of a container'
regains 'beside a tunnel, an internal port and the pair of a container' 'satisfied wiredEthernet'

set_mark
ip link set card down
path_is 'with the card switched off there is no path' .status unsatisfied
ip link set card up
comes_to 'switched on it is back' 'satisfied wiredEthernet'

# A second card: a macvlan in passthru mode has the carrier of the cable below.
ip netns add second
ip link add wire type veth peer name wire-far netns second
ip -n second link set wire-far up; ip link set wire up
ip link add card2 link wire type macvlan mode passthru; ip link set card2 up
switch add-port br0 card2
pull_cable
path_is 'with a second card that has a cable there is a path' "$verdict" 'satisfied wiredEthernet'
ip -n second link set wire-far down
await_operstate card2 lowerlayerdown
path_is 'with both cables pulled there is none' "$verdict" 'unsatisfied noCarrier'
put_cable
comes_to 'one cable is enough' 'satisfied wiredEthernet'
agrees 'with two cards'

switch del-port br0 card
switch del-port br0 card2
path_is 'tunnels and pods among the ports make no VPN' .usesTunnel false
switch del-port br0 tunnel
switch del-port br0 pod
path_is 'without any port there is no path' .status unsatisfied
switch add-port br0 card
comes_to 'with the card it is back' 'satisfied wiredEthernet'
agrees 'at the end'
is 'the watches have nothing to complain of' '' "$(cat /run/watch-errors)"
finish
