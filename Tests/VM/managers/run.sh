#!/bin/bash
# Three managers of networks, one after the other, on the same cable with the same DHCP server. The service has to
# report the same path with all of them: when the cable is pulled and put back, and when the connection ends.
set -u
job=$(cd "$(dirname "$0")" && pwd)
. "$job/service.sh"
install_files
make_wire address 02:00:00:00:00:02
# The same address for the machine each time, whatever name it sends.
serve_dhcp far wire-far <<'END'
authoritative;
default-lease-time 600;
subnet 192.0.2.0 netmask 255.255.255.0 { option routers 192.0.2.1; option domain-name-servers 192.0.2.53; }
host wire { hardware ethernet 02:00:00:00:00:02; fixed-address 192.0.2.50; }
END
start_service

# The values that must be equal: all but counters, and link-local addresses, for which each manager has its own method.
answer='{status, knowledge, interfaceType, isExpensive, isConstrained, usesTunnel, supportsIPv4, supportsIPv6, supportsDNS,
    gateways, names: [.interfaces[].name], types: [.interfaces[].type],
    addresses: [.interfaces[].addresses[] | select(startswith("fe80") | not)]}'
answers() { served status --json | jq -Sc "$answer"; }
status_is() { [ "$(served status --json | jq -r .status)" = "$1" ]; }
has_all() { served status --json | jq -e '.status == "satisfied" and .supportsDNS' >/dev/null; }

# observe MANAGER UP DOWN: has the manager bring the connection up, pulls the cable, puts it back, has the manager end
# the connection, and records the paths of the service.
observe() {
    local manager=$1 up=$2 down=$3 file=/run/answers-$1
    : >/etc/resolv.conf
    pathctl watch --json >"/run/$manager.jsonl" 2>/run/watch-errors & local watch=$!
    within 20 test -s "/run/$manager.jsonl"
    eval "$up" >"/run/$manager.log" 2>&1 || fail "$manager starts (not about the program)" 0 "$(tail -n 3 "/run/$manager.log")"
    within 90 has_all
    answers >"$file"
    unplug
    within 30 status_is unsatisfied
    served status --json | jq -r .status >>"$file"
    plug
    within 90 has_all
    answers >>"$file"
    eval "$down" >>"/run/$manager.log" 2>&1
    within 30 status_is unsatisfied
    served status --json | jq -r .status >>"$file"
    is "$manager: connected, lost, connected again, ended" 'satisfied unsatisfied satisfied unsatisfied' \
        "$(sed 's/.*"status":"\([a-z]*\)".*/\1/' "$file" | paste -sd ' ')"
    is "$manager: with name servers each time" 2 "$(grep -c '"supportsDNS":true' "$file")"
    kill $watch; wait $watch
    is "$manager: a watch tells the same, in order" 'unsatisfied,satisfied,unsatisfied,satisfied,unsatisfied' \
        "$(jq -r .status "/run/$manager.jsonl" | uniq | paste -sd,)"
    is "$manager: and has nothing to complain of" '' "$(cat /run/watch-errors)"
    sed "s/^/# $manager: /" "$file"
    ip addr flush dev wire; ip link set wire down
    within 20 status_is unsatisfied
}

# MARK: systemd-networkd, with systemd-resolved
printf '%s\n' '[Match]' Name=wire '[Network]' DHCP=ipv4 IPv6AcceptRA=no >/etc/systemd/network/10-wire.network
networkd_up() {
    systemctl start systemd-resolved.service &&
        ln -sf /run/systemd/resolve/stub-resolv.conf /etc/resolv.conf && systemctl start systemd-networkd.service
}
networkd_down() {
    networkctl down wire
    systemctl stop systemd-networkd.socket systemd-networkd.service systemd-resolved.service
    rm -f /etc/resolv.conf
}
observe systemd-networkd networkd_up networkd_down

# MARK: NetworkManager
# NetworkManager leaves veth pairs alone, as they are usually for containers.
printf '%s\n' '[main]' rc-manager=file 'no-auto-default=*' '[device-wire]' match-device=interface-name:wire managed=1 \
    >/etc/NetworkManager/conf.d/wire.conf
NetworkManager_up() {
    systemctl start NetworkManager.service && within 30 nmcli -t general status &&
        nmcli connection add type ethernet ifname wire con-name wire ipv6.method link-local
}
NetworkManager_down() { nmcli connection delete wire; systemctl stop NetworkManager.service; }
observe NetworkManager NetworkManager_up NetworkManager_down

# MARK: ifupdown
dpkg -i "$job"/ifupdown_*.deb >/run/dpkg.log 2>&1
if command -v ifup >/dev/null; then
    printf '%s\n' 'iface wire inet dhcp' >>/etc/network/interfaces
    observe ifupdown 'ifup wire' 'ifdown wire'
else
    fail 'ifupdown is installed (not about the program)' 'ifup' "$(tail -n 3 /run/dpkg.log)"
fi

is 'NetworkManager and systemd-networkd have the same answers' "$(cat /run/answers-systemd-networkd)" \
    "$(cat /run/answers-NetworkManager)"
is 'and so has ifupdown' "$(cat /run/answers-systemd-networkd)" "$(cat /run/answers-ifupdown)"
is 'it was one service all the time' 0 "$(property pathmonitord.service NRestarts)"
finish
