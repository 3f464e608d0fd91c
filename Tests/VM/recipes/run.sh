#!/bin/bash
# The recipes of the documents, as they stand there: each is cut out of its document, put where it says, and used.
set -u
job=$(cd "$(dirname "$0")" && pwd)
. "$job/service.sh"
needs 'packages tmux and dma' unpack_packages
serve_uplink

# block DOCUMENT TEXT: the block of code in the document that has the text.
block() {
    awk -v wanted="$2" '/^```/ { if (inside && found) { printf "%s", text; exit }
            inside = !inside; text = ""; found = 0; next }
        inside { text = text $0 "\n"; if (index($0, wanted)) found = 1 }' "$job/$1"
}
# recipe DOCUMENT FILE: puts the block that names the file into that file.
recipe() {
    local file=${2/#\~/$HOME}
    mkdir -p "$(dirname "$file")"
    block "$1" "# $2" >"$file"
    [ -s "$file" ] || fail "the document $1 has the recipe for $2" 'a block of code' none
}
hooks=/etc/pathmonitor/hooks.d

# MARK: README.md: the hook for a tunnel
starts() { wc -l </run/tunnel-starts; }
starts_are() { [ "$(starts)" = "$1" ]; }
printf '%s\n' '[Service]' "ExecStart=/bin/sh -c 'echo >>/run/tunnel-starts; exec sleep infinity'" >/etc/systemd/system/my-tunnel.service
systemctl daemon-reload
systemctl start my-tunnel.service
within 20 starts_are 1
recipe README.md $hooks/50-tunnel
# Every run of the hooks leaves a line, so that the checks need not guess when they are over.
printf '%s\n' '#!/bin/sh' 'echo "$PATH_STATUS $PATH_INTERFACE" >>/run/hook-runs' >$hooks/99-record
chmod 755 $hooks/*
: >/run/hook-runs
ran() { [ "$(tail -n 1 /run/hook-runs)" = "$1" ]; }
systemctl enable --quiet --now pathmonitor-hooks.service
within 60 ran 'satisfied wire'
is 'the start of the hooks does not restart the tunnel' 1 "$(starts)"
unplug; within 30 ran 'unsatisfied '
is 'nor does a lost path' 1 "$(starts)"
plug; within 30 ran 'satisfied wire'
is 'nor its return over the same interface' 1 "$(starts)"
ip link add second type veth peer name second-far netns far
ip -n far link set second-far up; ip link set second up
ip addr add 198.51.100.2/24 dev second
ip route add default via 198.51.100.1 dev second metric 5
ip route del default via 192.0.2.1 dev wire
within 30 ran 'satisfied second'
is 'another interface does' 2 "$(within 20 starts_are 2; starts)"
systemctl stop my-tunnel.service
ip route add default via 192.0.2.1 dev wire
ip route del default via 198.51.100.1 dev second
within 30 ran 'satisfied wire'
is 'a tunnel that was stopped is not started' 'inactive 2' "$(state my-tunnel.service) $(starts)"
is 'the hook complains of nothing' '' "$(journal pathmonitor-hooks.service | grep -i tunnel)"

# MARK: Mail
# What the scripts of dma would have done.
cp /usr/share/dma/dma.conf /etc/dma/; hostname >/etc/mailname
: >/var/mail/root; chmod 660 /var/mail/root; chgrp mail /var/mail/root
recipe docs/recipes.md $hooks/60-mail
chmod 755 $hooks/60-mail
: >/run/hook-runs
systemctl restart pathmonitor-hooks.service
within 60 ran 'satisfied wire'
subjects() { sed -n 's/^Subject: //p' /var/mail/root | paste -sd ';'; }
subjects_are() { [ "$(subjects)" = "$1" ]; }
is 'the start of the hooks is no mail' '' "$(subjects)"
name=$(hostname)
unplug
reason=$(within 30 ran 'unsatisfied '; served status --json | jq -r .unsatisfiedReason)
lost="$name: unsatisfied $reason"
is 'a lost path is a mail' "$lost" "$(within 30 subjects_are "$lost"; subjects)"
plug
is 'its return is another' "$lost;$name: satisfied wire" "$(within 30 subjects_are "$lost;$name: satisfied wire"; subjects)"
is 'with the path in words' 1 "$(grep -c 'offline' /var/mail/root)"
systemctl disable --quiet --now pathmonitor-hooks.service

# MARK: Updates of the system
for unit in apt-daily apt-daily-upgrade; do recipe docs/recipes.md /etc/systemd/system/$unit.service.d/unmetered.conf; done
systemctl daemon-reload
served override set isExpensive true
for unit in apt-daily apt-daily-upgrade; do
    systemctl start $unit.service
    is "on a metered network $unit is skipped, which is no failure" '0 skipped' \
        "$? $(journal $unit.service | grep -q "Skipped due to 'exec-condition'" && echo skipped)"
done
served override clear
systemctl start apt-daily.service
is 'on another it runs' '0 finished' "$? $(journal apt-daily.service | grep -q '^Finished' && echo finished)"

# MARK: A wait for IPv6
# A VPN that systemd would give up after three seconds.
printf '%s\n' '[Service]' Type=notify NotifyAccess=all TimeoutStartSec=3s \
    "ExecStart=/bin/sh -c 'systemd-notify --ready; exec sleep infinity'" '[Install]' WantedBy=multi-user.target \
    >/etc/systemd/system/openvpn-client@.service
recipe docs/recipes.md /etc/systemd/system/wait-for-path@.service
recipe docs/recipes.md /etc/systemd/system/openvpn-client@.service.d/ipv6.conf
systemctl daemon-reload
both=(wait-for-path@ipv6.service openvpn-client@home.service)
systemctl --no-block start openvpn-client@home.service
within 20 states_are 'activating inactive' "${both[@]}"
sleep 5
is 'the VPN waits longer than its start may take' 'activating inactive' "$(states "${both[@]}")"
systemctl stop openvpn-client@home wait-for-path@ipv6
becomes 20 'a stop of both gives up, and nothing has failed' 'inactive inactive' "${both[@]}"
systemctl --no-block start openvpn-client@home.service
within 20 states_are 'activating inactive' "${both[@]}"
ip addr add 2001:db8::2/64 dev wire nodad
ip -6 route add default via 2001:db8::1 dev wire
becomes 30 'with IPv6 the VPN starts, and the wait is over' 'inactive active' "${both[@]}"

# MARK: tmux and the prompt
recipe docs/recipes.md '~/.tmux.conf'
# tmux draws its status line on a terminal alone.
TERM=screen script --quiet --flush --command 'tmux new-session -s test' /run/tmux-screen >/dev/null </dev/null & screen=$!
draws() { grep -aqE "$1 [0-9]{2}:[0-9]{2}" /run/tmux-screen; }
is 'tmux shows the path' yes "$(within 30 draws 'Ethernet wire' && echo yes || tail -c 200 /run/tmux-screen)"
unplug
is 'and a lost path' yes "$(within 30 draws offline && echo yes || tail -c 200 /run/tmux-screen)"
plug
tmux kill-server; wait $screen
recipe docs/recipes.md '~/.bashrc'
within 20 served_verdict_is 'satisfied wiredEthernet'
is 'the prompt shows the path' '[Ethernet wire] ~# ' "$(cd && bash --rcfile ~/.bashrc -ic 'eval "$PROMPT_COMMAND"; printf %s "${PS1@P}"' 2>/dev/null)"

# MARK: A copy with a deadline
recipe docs/recipes.md /etc/systemd/system/nightly-copy.service
stand_in rclone 'echo "$*" >>/run/copies'
systemctl daemon-reload
systemctl start nightly-copy.service
is 'the copy runs while the network is unmetered' 'sync /srv/data backup:' "$(cat /run/copies)"
served override set isExpensive true
sed -i 's/--timeout 2h/--timeout 3s/' /etc/systemd/system/nightly-copy.service
systemctl daemon-reload
systemctl start nightly-copy.service 2>/dev/null
is 'and fails if it has not become so in time' 'failed 124' \
    "$(state nightly-copy.service) $(property nightly-copy.service ExecMainStatus)"
served override clear

# MARK: A VPN for one network
modprobe -q wireguard
ip link add wg0 type wireguard
ip addr add 10.20.0.2/24 dev wg0
ip link set wg0 up
wg set wg0 private-key <(wg genkey) peer "$(wg genkey | wg pubkey)" allowed-ips 10.20.0.0/24 endpoint 192.0.2.1:51820
block docs/recipes.md 'interface=wg0 --sample-address 10.20.0.1 --nagios' >/run/vpn.sh
vpn() { sh /run/vpn.sh | grep -o '^PATH [A-Z]*'; }
# Without a name server the check is a warning.
echo nameserver 192.0.2.1 >/etc/resolv.conf
is 'the check sees the VPN beside the path to the Internet' 'PATH OK' "$(vpn)"
ip link set wg0 down
is 'and a VPN that is down' 'PATH CRITICAL' "$(vpn)"
ip link delete wg0
is 'or gone' 'PATH CRITICAL' "$(vpn)"

# MARK: A container
block docs/recipes.md 'systemd-run --pipe' >/run/container.sh
is 'a container without rights and network sees the path of the host' 'connected over wire' \
    "$(sh /run/container.sh 2>&1 | grep -oE 'connected +over wire' | tr -s ' ')"
sed 's,--wait --quiet,--quiet,; s,pathctl status,pathctl watch --json,' /run/container.sh >/run/container-watch.sh
sh /run/container-watch.sh >/run/container.jsonl 2>/run/container-errors & container=$!
within 30 test -s /run/container.jsonl
systemctl restart pathmonitord.socket
served_verdict >/dev/null
unplug
is 'and follows it, also after a restart of the socket' unsatisfied \
    "$(within 30 eval 'tail -n 1 /run/container.jsonl | jq -e ".status == \"unsatisfied\" and .knowledge == \"known\"" >/dev/null'
        tail -n 1 /run/container.jsonl | jq -r .status)"
plug
kill $container

# MARK: docs/cost.md: a schedule. The last check, because it sets the clock.
recipe docs/cost.md /etc/systemd/system/save-data.service
recipe docs/cost.md /etc/systemd/system/save-data.timer
systemctl daemon-reload
is 'the timer is as systemd wants it' '' "$(systemd-analyze verify --man=no save-data.timer 2>&1)"
# A Wednesday, as if the machine had booted at that moment.
date --set '2026-11-25 10:19:50' >/dev/null
systemctl start save-data.timer
is 'a few minutes after a reboot the schedule applies again' true \
    "$(within 40 eval '[ "$(served status --json | jq .isConstrained)" = true ]'; served status --json | jq .isConstrained)"
finish
