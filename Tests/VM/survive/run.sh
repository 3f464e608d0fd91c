#!/bin/bash
# The recipes of docs/survive.md, as they stand there, between two networks: the machine moves from the one to the other
# and loses the address that its connections have.
set -u
job=$(cd "$(dirname "$0")" && pwd)
. "$job/service.sh"
needs 'packages of OpenSSH and autossh' unpack_packages
needs 'kernel module wireguard' modprobe -n -q wireguard
serve_uplink

# block TEXT: the block of code in the guide that has the text.
block() {
    awk -v wanted="$1" '/^```/ { if (inside && found) { printf "%s", text; exit }
            inside = !inside; text = ""; found = 0; next }
        inside { text = text $0 "\n"; if (index($0, wanted)) found = 1 }' "$job/docs/survive.md"
}
# recipe FILE: puts the block that names the file into that file.
recipe() {
    mkdir -p "$(dirname "$1")"
    block "# $1" >"$1"
    [ -s "$1" ] || fail "the guide has the recipe for $1" 'a block of code' none
}

# MARK: Two networks, and a host behind both
ip link add second type veth peer name second-far netns far
ip -n far addr add 198.51.100.1/24 dev second-far
ip -n far addr add 203.0.113.1/32 dev lo; ip -n far link set lo up
ip -n far link set second-far up; ip link set second up
echo '203.0.113.1 relay vpn.example' >>/etc/hosts
# move_to wire|second: the address and the routes of the other network go with it. A client must see the change.
move_to() {
    if [ "$1" = second ]; then
        ip addr add 198.51.100.2/24 dev second; ip route replace default via 198.51.100.1 dev second
        ip addr flush dev wire
    else
        ip addr add 192.0.2.2/24 dev wire; ip route replace default via 192.0.2.1 dev wire
        ip addr flush dev second
    fi
}
# lose: the cable is out for a while, and the network is the same afterwards.
lose() { unplug; within 20 is_lost; plug; within 20 served_verdict_is 'satisfied wiredEthernet'; sleep 1; }
is_lost() { [[ $(served_verdict) == unsatisfied* ]]; }
# sources PORT: the addresses from which programs have connections to a port of the host.
sources() { ss -Htn state established "( dport = :$1 )" | awk '{ print $3 }' | sed 's/:[0-9]*$//' | sort -u | paste -sd ' '; }
sources_are() { [ "$(sources "$1")" = "$2" ]; }
# connects WHAT PORT ADDRESS: all connections to the port are soon from the address, and how long that takes.
connects() {
    local begin=${EPOCHREALTIME/./}
    is "$1" "$3" "$(within 30 sources_are "$2" "$3"; sources "$2")"
    echo "# after $(((${EPOCHREALTIME/./} - begin) / 1000)) ms"
}

# MARK: ssh
mkdir -p /run/sshd ~/.ssh; chmod 700 ~/.ssh
id -u sshd >/dev/null 2>&1 || useradd -r -d /run/sshd -s /usr/sbin/nologin sshd
ssh-keygen -q -t ed25519 -N '' -f /run/host-key && ssh-keygen -q -t ed25519 -N '' -f ~/.ssh/id_ed25519
cp ~/.ssh/id_ed25519.pub ~/.ssh/authorized_keys
printf '%s\n' 'Host relay' 'StrictHostKeyChecking accept-new' 'ConnectTimeout 20' >~/.ssh/config
ip netns exec far /usr/sbin/sshd -f /dev/null -o HostKey=/run/host-key -o UsePAM=no -o PidFile=none -o LogLevel=ERROR -E /run/sshd.log
is 'there is a server (not about the program)' 'Hello' "$(within 60 ssh relay true 2>/run/ssh-errors; ssh relay echo Hello 2>&1 | tail -n 1)"

recipe /etc/systemd/system/relay.service
systemctl daemon-reload; systemctl start relay.service
connects 'the tunnel of ssh connects' 22 192.0.2.2
before=$(pgrep -f '^ssh -N -D')
lose
is 'a loss alone does not end it' "$before" "$(pgrep -f '^ssh -N -D')"
move_to second
connects 'it connects anew in another network' 22 198.51.100.2
move_to wire
connects 'and again' 22 192.0.2.2
is 'systemd has restarted nothing' '0 active' "$(property relay.service NRestarts) $(state relay.service)"
systemctl stop relay.service
is 'its stop is no failure' inactive "$(state relay.service)"

block 'ssh -t relay' >/run/shell.sh
TERM=screen script --quiet --flush --command 'sh /run/shell.sh' /run/shell-screen >/dev/null </dev/null & shell=$!
session() { tmux list-clients -t main -F x 2>/dev/null | wc -l; }
session_is() { [ "$(session)" = "$1" ]; }
connects 'the shell connects' 22 192.0.2.2
is 'its session is there' yes "$(within 30 session_is 1 && echo yes || session)"
number=$(tmux display-message -p -t main '#{pid}' 2>/dev/null)
move_to second
connects 'it connects anew in another network' 22 198.51.100.2
is 'to the same session' "$number" "$(tmux display-message -p -t main '#{pid}' 2>/dev/null)"
tmux kill-server; kill $shell 2>/dev/null; wait $shell
move_to wire

# MARK: autossh
block autossh >/run/autossh.sh
sh /run/autossh.sh 2>/run/autossh-errors & autossh=$!
connects 'autossh connects' 22 192.0.2.2
number=$(pgrep -x autossh)
move_to second
connects 'it connects anew in another network' 22 198.51.100.2
is 'and is the same process' "$number" "$(pgrep -x autossh)"
kill $(pgrep -P $autossh pathctl || echo $autossh); wait $autossh
move_to wire

# MARK: A coding agent
# It asks, and reads an answer that does not come before it is told.
cat >/usr/bin/agent <<'AGENT'
#!/usr/bin/python3
import socket, sys
print(sys.argv[1], flush=True)
connection = socket.create_connection(("203.0.113.1", 4000))
connection.sendall(b"question\n")
print(connection.makefile().readline(), flush=True)
AGENT
chmod 755 /usr/bin/agent
ip netns exec far socat TCP-LISTEN:4000,fork,reuseaddr 'SYSTEM:read x; sleep 1000' & server=$!
block 'agent --continue' >/run/agent.sh
sh /run/agent.sh >/run/agent-output 2>/run/agent-errors & agent=$!
connects 'the agent asks' 4000 192.0.2.2
lose
is 'it goes on after a loss' 1 "$(grep -c -e --continue /run/agent-output)"
move_to second
connects 'and asks again in another network' 4000 198.51.100.2
is 'with its conversation' 2 "$(grep -c -e --continue /run/agent-output)"
kill $(pgrep -P $agent pathctl || echo $agent); wait $agent
kill $server
move_to wire

# MARK: Units that reload
for name in sync-client feed-reader; do
    printf '%s\n' '[Service]' "ExecStart=/bin/sh -c 'echo $name starts >>/run/clients; exec sleep infinity'" >/etc/systemd/system/$name.service
done
drop_in sync-client.service '[Service]' "ExecReload=/bin/sh -c 'echo sync-client reloads >>/run/clients'"
recipe /etc/systemd/system/path-change.service
recipe /etc/systemd/system/feed-reader.service.d/path.conf
recipe /etc/pathmonitor/hooks.d/50-path-change
# Every run of the hooks leaves a line, so that the checks need not guess when they are over.
printf '%s\n' '#!/bin/sh' 'echo "$PATH_STATUS $PATH_INTERFACE" >>/run/hook-runs' >/etc/pathmonitor/hooks.d/99-record
chmod 755 /etc/pathmonitor/hooks.d/*
: >/run/hook-runs
ran() { [ "$(tail -n 1 /run/hook-runs)" = "$1" ]; }
systemctl daemon-reload
systemctl start path-change.service sync-client.service feed-reader.service
systemctl enable --quiet --now pathmonitor-hooks.service
within 60 ran 'satisfied wire'
clients() { sort /run/clients | uniq -c | awk '{ print $2, $3, $1 }' | paste -sd ';'; }
clients_are() { [ "$(clients)" = "$1" ]; }
untouched='feed-reader starts 1;sync-client starts 1'
is 'the start of the hooks touches no unit' "$untouched" "$(clients)"
unplug; within 30 ran 'unsatisfied '
plug; within 30 ran 'satisfied wire'
is 'nor does a loss' "$untouched" "$(clients)"
move_to second; within 30 ran 'satisfied second'
moved='feed-reader starts 2;sync-client reloads 1;sync-client starts 1'
is 'another network reloads the one, and starts the other again' "$moved" "$(within 30 clients_are "$moved"; clients)"
systemctl stop feed-reader.service
move_to wire; within 30 ran 'satisfied wire'
moved='feed-reader starts 2;sync-client reloads 2;sync-client starts 1'
is 'a unit that was stopped is not started' "$moved inactive" "$(within 30 clients_are "$moved"; echo "$(clients) $(state feed-reader.service)")"

# MARK: WireGuard
umask 077; mkdir -p /etc/wireguard
wg genkey >/run/near-key; wg genkey >/run/far-key
printf '%s\n' '[Interface]' "PrivateKey = $(</run/near-key)" 'Address = 10.9.0.2/32' '[Peer]' \
    "PublicKey = $(wg pubkey </run/far-key)" 'AllowedIPs = 10.9.0.1/32' 'Endpoint = vpn.example:51820' >/etc/wireguard/wg0.conf
umask 022
wg-quick up wg0 2>/run/wg-quick.log
endpoint() { wg show wg0 endpoints | cut -f 2; }
endpoint_is() { [ "$(endpoint)" = "$1" ]; }
is 'the tunnel has the endpoint of its name (not about the program)' 203.0.113.1:51820 "$(endpoint)"
recipe /etc/pathmonitor/hooks.d/70-wireguard
chmod 755 /etc/pathmonitor/hooks.d/70-wireguard
sed -i 's/^203.0.113.1 .*/203.0.113.1 relay\n203.0.113.2 vpn.example/' /etc/hosts
move_to second
is 'in another network its name is looked up again' 203.0.113.2:51820 "$(within 30 endpoint_is 203.0.113.2:51820; endpoint)"
is 'the hooks complain of nothing' '' "$(journal pathmonitor-hooks.service | grep -E 'pathctl:|failed')"
finish
