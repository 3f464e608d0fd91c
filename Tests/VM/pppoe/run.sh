#!/bin/bash
# PPPoE, as on a DSL line: pppd with the kernel's PPPoE, and a server at the other end of the cable. The link ppp0 keeps
# its carrier for as long as pppd waits for echoes, also with the cable pulled. The service says what pathctl says.
set -u
job=$(cd "$(dirname "$0")" && pwd)
. "$job/service.sh"
needs 'kernel module pppoe' modprobe -a ppp_generic pppox pppoe
needs 'package pppoe' unpack_packages
make_card
install_files
start_service

printf '%s\n' '"user" * "secret" *' >/etc/ppp/chap-secrets
printf '%s\n' require-chap >/run/server-options
# As at a DSL line, the server's own port keeps its carrier without the cable, and so the server keeps the session.
ip -n far link add switch type bridge; ip -n far link set switch up; ip -n far link set card-far master switch
ip netns exec far pppoe-server -F -I switch -L 203.0.113.1 -R 203.0.113.10 -N 5 -O /run/server-options >/run/server.log 2>&1 &
server=$!
# The echoes would end the session a minute after the cable was pulled, at the earliest.
dial() { pppd plugin rp-pppoe.so card user user password secret noauth noipdefault defaultroute nodetach "$@" \
    lcp-echo-interval 30 lcp-echo-failure 3; }
dial >/run/pppd.log 2>&1 &
line=$!
has_line() { ip -4 addr show dev ppp0 2>/dev/null | grep -q 203.0.113.1; }
within 60 has_line || fail 'the line comes up (not about the program)' 'ppp0' "$(tail -n 3 /run/pppd.log)"
# Another network of the machine, which leads nowhere: the house behind the router.
modprobe -q veth
ip link add house type veth peer name house-far netns far
ip -n far link set house-far up; ip link set house up; ip addr add 192.168.1.1/24 dev house

reaches() { ping -c 1 -W 1 -q 203.0.113.1 >/dev/null; }
is '(packets) the line reaches the provider' 0 "$(within 10 reaches; echo $?)"
start_watch
path_is 'PPPoE is a path' '[.status, .interfaces[0].name]' '["satisfied","ppp0"]'
checks_vpn() { $pathctl check vpn --direct >/dev/null 2>&1; echo $?; }
is 'and no VPN' 1 "$(checks_vpn)"
# The echoes of pppd are not waited for.
loses 'on the line'
is '(kernel) the session and its link are as before' 'card UP' \
    "$(awk 'NR > 1 { print $3 }' /proc/net/pppoe) $(ip -json link show ppp0 | jq -r '.[0].flags[] | select(. == "UP")')"
is 'the service says that the path is gone' 'unsatisfied noCarrier' \
    "$(within 5 served_verdict_is 'unsatisfied noCarrier'; served_verdict)"
regains 'on the line' 'satisfied other'
agrees 'on the line'

# A second line that is no PPPoE, such as a modem's, and carries the traffic now: the cable is none of its business.
pppd noauth local nodetach nodefaultroute unit 7 198.51.100.20:198.51.100.21 \
    pty 'ip netns exec far pppd noauth local notty 198.51.100.21:198.51.100.20' >/run/pppd-modem.log 2>&1 & modem=$!
# It has its address before it is up, and a route only then.
within 40 eval 'ip route add default dev ppp7 metric 5 2>/dev/null' ||
    fail 'the second line comes up (not about the program)' ppp7 "$(tail -n 1 /run/pppd-modem.log)"
ip route del default dev ppp0
path_is 'a line that is no PPPoE is a path' '[.status, .interfaces[0].name]' '["satisfied","ppp7"]'
pull_cable
path_is 'and stays one without the cable of the other' '[.status, .interfaces[0].name]' '["satisfied","ppp7"]'
put_cable
ip route add default dev ppp0
kill $modem; wait $modem 2>/dev/null
comes_to 'without it the line is the path again' 'satisfied other'

# The kernel ends the sessions of a card that is switched off.
set_mark
ip link set card down
is 'a card that is switched off takes the line with it' unsatisfied \
    "$(within 20 has_update '.status == "unsatisfied"'; marked | tail -n 1 | jq -r .status)"
kill $line $server 2>/dev/null; wait $line $server 2>/dev/null
is 'the watches have nothing to complain of' '' "$(cat /run/watch-errors)"
finish
