#!/bin/bash
# A cable that is out for 3 s, on a machine with systemd-networkd, DHCP and router advertisements. IPv4 and IPv6 return
# at different moments. Fifteen programs of Debian have a connection over each, and the unit that ends connections must
# leave them alone, unless the address is another one afterwards.
set -u
job=$(cd "$(dirname "$0")" && pwd)
. "$job/service.sh"
. "$job/connections.sh"
needs 'packages of the fifteen programs' unpack_packages
install_files
install_ender
install -D -m644 "$job/systemd/examples/connections.conf" /etc/pathmonitor/connections.conf

# MARK: A router, and a server behind it
# The cable ends at a switch of the router, which keeps its own addresses when the cable is pulled.
make_wire address 02:00:00:00:00:02
ip -n far addr flush dev wire-far
ip -n far link add lan type bridge
ip -n far link add other type dummy
for port in wire-far other; do ip -n far link set $port master lan; ip -n far link set $port up; done
ip -n far link set lan up; ip -n far link set lo up
ip -n far addr add 192.0.2.1/24 dev lan; ip -n far addr add 2001:db8:1::1/64 dev lan nodad
ip -n far addr add 203.0.113.1/32 dev lo; ip -n far addr add 2001:db8:f::1/128 dev lo nodad
ip netns exec far sysctl -qw net.ipv6.conf.all.forwarding=1
printf '%s\n' '203.0.113.1 server4' '2001:db8:f::1 server6' >>/etc/hosts
far() { ip netns exec far "$@" >>/run/far.log 2>&1 </dev/null; }

# lease ADDRESS: the DHCP server has this address for the machine.
lease() {
    if [ -s /run/dhcpd.pid ]; then kill "$(</run/dhcpd.pid)"; within 20 eval '! pgrep -x dhcpd >/dev/null'; fi
    serve_dhcp far lan <<CONFIGURATION
authoritative;
default-lease-time 600;
subnet 192.0.2.0 netmask 255.255.255.0 { option routers 192.0.2.1; }
host wire { hardware ethernet 02:00:00:00:00:02; fixed-address $1; }
CONFIGURATION
}
lease 192.0.2.50
printf '%s\n' 'interface lan { AdvSendAdvert on; prefix 2001:db8:1::/64 { }; };' >/run/radvd.conf
far radvd -n -u root -C /run/radvd.conf -p /run/radvd.pid &

# MARK: The servers of the programs
mkdir -p /run/sshd /run/output /run/files ~/.ssh; chmod 700 ~/.ssh
id -u sshd >/dev/null 2>&1 || useradd -r -d /run/sshd -s /usr/sbin/nologin sshd
ssh-keygen -q -t ed25519 -N '' -f /run/host-key && ssh-keygen -q -t ed25519 -N '' -f ~/.ssh/id_ed25519
cp ~/.ssh/id_ed25519.pub ~/.ssh/authorized_keys
printf '%s\n' 'Host *' 'StrictHostKeyChecking accept-new' >~/.ssh/config
openssl req -x509 -config <(printf '%s\n' '[req]' 'distinguished_name = name' '[name]') -newkey ec \
    -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=server -out /run/certificate.pem -keyout /run/key.pem \
    2>>/run/far.log
printf '%s\n' 'listener 1883' 'allow_anonymous true' 'user root' >/run/mosquitto.conf
printf '%s\n' 'use chroot = no' 'uid = root' '[files]' 'path = /run/files' >/run/rsyncd.conf
truncate -s 1G /run/files/large
printf '%s\n' '[Global]' 'Name = irc.example' 'Info = IRC' 'Listen = ::,0.0.0.0' 'ServerUID = root' 'ServerGID = root' \
    '[Limits]' 'MaxConnectionsIP = 0' '[Options]' 'DNS = no' 'Ident = no' 'PAM = no' >/run/ngircd.conf
far /usr/sbin/sshd -D -f /dev/null -o HostKey=/run/host-key -o UsePAM=no -o PidFile=none &
far python3 "$job/server.py" &
far mosquitto -c /run/mosquitto.conf &
far redis-server --bind '*' '-::*' --protected-mode no --save '' --dir /run &
far rsync --daemon --no-detach --config=/run/rsyncd.conf &
far ngircd -n -f /run/ngircd.conf &
ports='22 7 80 443 1883 6379 873 6667'
is_served() {
    local port
    for port in $ports; do [ -n "$(ip netns exec far ss -Hltn "sport = :$port")" ] || return; done
}
within 90 is_served || fail 'the servers are there (not about the program)' "ports $ports" "$(tail -n 5 /run/far.log)"

# tick: a line each second, while somebody reads them.
mkfifo /run/never; exec 9<>/run/never
tick() { while ! read -rt 1 -u 9 && echo tick; do :; done 2>/dev/null; }
tick | ip netns exec far mosquitto_pub -h server4 -l -t ticks >>/run/far.log 2>&1 &
tick | sed -u 's/.*/publish ticks tick/' | ip netns exec far redis-cli -h server4 >>/run/far.log 2>&1 &

# MARK: The network
printf '%s\n' '[Match]' Name=wire '[Network]' DHCP=ipv4 IPv6AcceptRA=yes >/etc/systemd/network/10-wire.network
systemctl start systemd-networkd.service
# address FAMILY: the address of the family, once it may be used.
address() {
    ip -json "-$1" address show dev wire scope global |
        jq -r '[.[].addr_info[]? | select(.local and (.tentative | not)) | .local] | join(" ")'
}
address6=2001:db8:1::ff:fe00:2
has_address() { [ "$(address "$1")" = "$2" ]; }
has_no_address() { has_address 4 '' && has_address 6 ''; }
# await_addresses ADDRESS: until IPv4 is there with this address, and IPv6 with its own.
await_addresses() {
    local since=${EPOCHREALTIME/./} first
    await_address 4 "$1" "$since" & first=$!
    await_address 6 $address6 "$since" & wait $first $!
    has_address 4 "$1" && has_address 6 $address6 ||
        fail 'both families are there (not about the program)' "$1 $address6" "$(address 4) $(address 6)"
}
# await_address FAMILY ADDRESS SINCE
await_address() {
    within 90 has_address "$1" "$2"
    echo "# IPv$1 is there after $(((${EPOCHREALTIME/./} - $3) / 1000)) ms"
}
# outage ADDRESS [COMMAND...]: the cable is out for 3 s, in which the command runs, and the network is back with this
# address of IPv4.
outage() {
    local out
    unplug; sleep 3 & out=$!
    "${@:2}"
    is 'both addresses go with the cable' yes \
        "$(within 30 has_no_address && echo yes || ip -brief address show dev wire)"
    wait $out
    plug; await_addresses "$1"
}
await_addresses 192.0.2.50
start_service
within 60 served_verdict_is 'satisfied wiredEthernet'

# MARK: The programs
# start SERVER: the programs, with the server of a family. Their output grows each second.
start() {
    local errors=/run/output/$1-errors
    tick | ssh "$1" cat >"/run/output/ssh-$1" 2>>"$errors" &
    curl -sN "http://$1/" >"/run/output/curl-$1" 2>>"$errors" &
    wget -q --tries=1 -O "/run/output/wget-$1" "http://$1/" 2>>"$errors" &
    tick | nc.openbsd "$1" 7 >"/run/output/nc-$1" 2>>"$errors" &
    tick | ncat "$1" 7 >"/run/output/ncat-$1" 2>>"$errors" &
    tick | socat - "TCP:$1:7" >"/run/output/socat-$1" 2>>"$errors" &
    tick | openssl s_client -quiet -connect "$1:443" >"/run/output/openssl-$1" 2>>"$errors" &
    tick | bash -c 'exec 3<>"/dev/tcp/$0/7"
while read -r line && echo "$line" >&3 && read -r answer <&3; do
    echo "$answer"
done' "$1" >"/run/output/bash-$1" 2>>"$errors" &
    tick | perl -MIO::Socket::IP -e '$| = 1;
my $server = IO::Socket::IP->new(PeerHost => $ARGV[0], PeerPort => 7) or die $@;
while (<STDIN>) {
    $server->print($_);
    $server->flush;
    print $server->getline // die $!;
}' "$1" >"/run/output/perl-$1" 2>>"$errors" &
    tick | python3 -c 'import socket, sys
server = socket.create_connection((sys.argv[1], 7))
for line in sys.stdin:
    server.sendall(line.encode())
    print(server.recv(99) or sys.exit("end"), flush=True)' "$1" >"/run/output/python-$1" 2>>"$errors" &
    python3 -c 'import asyncio, sys
async def main():
    reader, writer = await asyncio.open_connection(sys.argv[1], 7)
    writer.write(b"tick\n")
    while line := await reader.readline():
        print(line, flush=True)
        await asyncio.sleep(1)
        writer.write(line)
asyncio.run(main())' "$1" >"/run/output/asyncio-$1" 2>>"$errors" &
    mosquitto_sub -h "$1" -t ticks >"/run/output/mosquitto_sub-$1" 2>>"$errors" &
    redis-cli -h "$1" subscribe ticks >"/run/output/redis-cli-$1" 2>>"$errors" &
    rsync --bwlimit=64 --progress --outbuf=N "rsync://$1/files/large" "/run/files/$1" \
        >"/run/output/rsync-$1" 2>>"$errors" &
    ii -s "$1" -n "n$1" -i /run/irc >"/run/output/ii-$1" 2>>"$errors" &
    { within 60 test -p "/run/irc/$1/in" && tick | sed -u 's|.*|/TIME|' >"/run/irc/$1/in"; } 2>>"$errors" &
}
fifteen='bash curl ii mosquitto_sub nc.openbsd ncat openssl perl python3 python3 redis-cli rsync socat ssh wget'
# connections ADDRESS: the connections to the servers from this local address, with the names of their programs.
connections() {
    ss -Htnp state established "src [$1] and ( dst 203.0.113.1 or dst [2001:db8:f::1] )" |
        sed -E 's/^[0-9]+ +[0-9]+ +([^ ]+) +([^ ]+) +users:\(\("([^"]+)".*/\3 \1 \2/' | sort
}
programs() { connections "$1" | cut -d ' ' -f 1 | paste -sd ' '; }
# sizes: of the output of each program.
sizes() { (cd /run/output && stat -c '%n %s' -- *-server[46]); }
# silent SIZES FAMILY: the programs whose output has these sizes still.
silent() { comm -12 <(sort <<<"$1") <(sizes | sort) | sed -n "s/-server$2 .*//p" | paste -sd ' '; }
all_speak() {
    local family
    for family in "${@:2}"; do [ -z "$(silent "$1" "$family")" ] || return; done
}
# speak WHEN FAMILY...: each program of these families puts something out from now on.
speak() {
    local sizes family; sizes=$(sizes)
    within 60 all_speak "$sizes" "${@:2}"
    for family in "${@:2}"; do is "$1, all programs get answers over IPv$family" '' "$(silent "$sizes" "$family")"; done
}
begin=$SECONDS
start server4; start server6
ready() { [ "$(programs 192.0.2.50)" = "$fifteen" ] && [ "$(programs $address6)" = "$fifteen" ]; }
within 180 ready
is 'fifteen programs are connected over IPv4' "$fifteen" "$(programs 192.0.2.50)"
is 'and over IPv6' "$fifteen" "$(programs $address6)"
speak 'before the outages' 4 6
echo "# after $((SECONDS - begin)) s"
before4=$(connections 192.0.2.50) before6=$(connections $address6)

# ended: what the unit has ended.
ended() {
    journalctl --sync
    journalctl --no-pager -o json MESSAGE_ID=8c1f6f0e3d5b4a7f9e2604b7d3a9c5e1 |
        jq -r '[.ADDRESS, .INTERFACE, .CONNECTION_COUNT, .CONNECTION_REASON, .CONNECTION_ENDED] | join(" ")' |
        paste -sd ,
}
# lost ADDRESS CONNECTIONS: those of the connections from this address that are there no more.
lost() { comm -13 <(connections "$1") <(echo "$2") | paste -sd ,; }
# outlive WHEN: each program goes on with the connection that it had at first.
outlive() {
    speak "$1" 4 6
    is "$1, with the same connections over IPv4" '' "$(lost 192.0.2.50 "$before4")"
    is "$1, with the same connections over IPv6" '' "$(lost $address6 "$before6")"
}

# MARK: The same network
outage 192.0.2.50
outlive 'without the unit'
systemctl start $ender
becomes 30 'the unit is ready' active $ender
outage 192.0.2.50
# If the unit took one of the addresses for gone, it would end its connections 5 s after the first family is back.
sleep 10
outlive 'with the unit'
is 'it has ended nothing' '' "$(ended)"
is 'and counts nothing' 'pathmonitor_ended_connections_total 0' "$(pathctl metrics | grep '^pathmonitor_ended')"

# MARK: Another lease
outage 192.0.2.51 lease 192.0.2.51
has_ended() { [ -n "$(ended)" ]; }
within 60 has_ended
is 'with another lease, the unit ends the connections of the former' '192.0.2.50 wire 15 address-removed true' \
    "$(ended)"
is 'none of them is left' '' "$(programs 192.0.2.50)"
speak 'with another lease' 6
is 'with the same connections' '' "$(lost $address6 "$before6")"
echo "# $(journal $ender | grep ended)"
((failures)) && tail -n 5 /run/far.log /run/output/*-errors | sed 's/^/# /'
# The daemon of rsync outlasts the SIGTERM at the end of a job, and the VM would wait for it. Bash would report its end.
exec 2>/dev/null
pkill -KILL -x rsync
finish
