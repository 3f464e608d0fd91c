#!/bin/bash
# The unit that ends connections whose address is gone: from Wi-Fi to a cable and back, with programs that wait.
set -u
. "$(dirname "$0")/helpers.sh"
. "$(dirname "$0")/service.sh"
. "$(dirname "$0")/connections.sh"

needs 'simulated radios (mac80211_hwsim)' modprobe -n mac80211_hwsim
install_files
install_ender
unit=$ender
install -D -m644 "$job/systemd/examples/connections.conf" /etc/pathmonitor/connections.conf

# MARK: A kernel without the module
echo 'install tcp_diag /bin/false' >/etc/modprobe.d/job.conf
modprobe -qr tcp_diag
listed=$(pathctl connections 2>&1); status=$?
is 'without tcp_diag there is no list, and the reason is said' '69 1 yes' \
    "$status $(wc -l <<<"$listed") $([[ $listed = *'module tcp_diag'* ]] && echo yes)"
echo "# $listed"
is 'the path is shown all the same' '' "$(pathctl status 2>&1 | grep tcp_diag)"
systemctl start $unit 2>/dev/null
is 'nor does the unit start' yes "$(state_is $unit active && echo no || echo yes)"
is 'and it says why' yes "$(journal $unit | grep -q 'module tcp_diag' && echo yes)"
systemctl stop $unit; systemctl reset-failed $unit 2>/dev/null
rm /etc/modprobe.d/job.conf

# MARK: Two networks
# Behind the access point and behind the router of the cable is a server of the same address.
modprobe mac80211_hwsim radios=2; udevadm settle
ip netns add ap
iw phy "phy$(iw dev wlan1 info | awk '$1 == "wiphy" { print $2 }')" set netns name ap
cat >/run/hostapd.conf <<'END'
interface=wlan1
driver=nl80211
ssid=simulated
hw_mode=g
channel=1
END
ip netns exec ap hostapd -B -P /run/hostapd.pid /run/hostapd.conf >/dev/null
ip -n ap addr add 198.51.100.1/24 dev wlan1
printf '%s\n' 'network={' ' ssid="simulated"' ' key_mgmt=NONE' '}' >/run/wpa.conf
make_wire; ip link set wire up; ip link set lo up
serve ap; serve far

join_wifi() {
    ip link set wlan0 up
    wpa_supplicant -B -P /run/wpa.pid -i wlan0 -c /run/wpa.conf >/dev/null
    await_operstate wlan0 up
    ip addr add 198.51.100.2/24 dev wlan0
    ip route add default via 198.51.100.1 metric 600
}
leave_wifi() { kill "$(cat /run/wpa.pid)"; ip link set wlan0 down; ip addr flush dev wlan0; }
join_cable() { ip addr add 192.0.2.2/24 dev wire; ip route add default via 192.0.2.1 metric 100; }
leave_cable() { ip addr flush dev wire; }

over() { pathctl status --field interface; }
over_is() { [ "$(over)" = "$1" ]; }

# MARK: Without the unit
join_wifi
start_service
within 20 over_is wlan0; is 'the path leads over the radio' wlan0 "$(over)"
waiting without
leave_wifi; join_cable
within 20 over_is wire; is 'then over the cable' wire "$(over)"
sleep 15
is 'without the unit the program waits' connected "$(paste -sd ' ' /run/without.txt)"
is 'and pathctl says so' '1 connection (python3) holds 198.51.100.2, which is gone; pathmonitor-connections would have ended it if it had run' \
    "$(pathctl status | grep holds)"

# MARK: With it
systemctl enable --quiet --now $unit
becomes 30 'the unit is ready' active $unit
figure=$(systemd-analyze security --no-pager $unit | sed -n 's/.*Overall exposure level for [^:]*: \([0-9.]*\).*/\1/p')
echo "# exposure of $unit: $figure"
is "its exposure is at most 1.5: $figure" yes "$(awk -v figure="$figure" 'BEGIN { print figure <= 1.5 ? "yes" : "no" }')"
is 'it has one right' cap_net_admin "$(getpcaps "$(pid $unit)" 2>&1 | sed 's/.*: =* *//; s/[=+].*//')"
sleep 8
is 'the address that it has not seen is left alone' connected "$(paste -sd ' ' /run/without.txt)"
waiting cable
leave_cable; join_wifi
within 20 over_is wlan0
within 20 grep -q ECONNABORTED /run/cable.txt
is 'from the cable to the radio the program gets an error' 'connected ECONNABORTED' \
    "$(paste -sd ' ' /run/cable.txt | cut -d' ' -f1,2)"
echo "# it has waited: $(tail -n 1 /run/cable.txt | cut -d' ' -f2) s"
waiting radio
leave_wifi; join_cable
within 20 over_is wire
within 20 grep -q ECONNABORTED /run/radio.txt
is 'and back' 'connected ECONNABORTED' "$(paste -sd ' ' /run/radio.txt | cut -d' ' -f1,2)"
waiting same
leave_cable; join_cable
sleep 10
is 'the same address within the grace costs no connection' connected "$(paste -sd ' ' /run/same.txt)"

journalctl --sync
journalctl --no-pager -o json MESSAGE_ID=8c1f6f0e3d5b4a7f9e2604b7d3a9c5e1 >/run/entries.json
# The program from before the unit had the address of the radio, too, which the unit has seen meanwhile.
is 'what ends together is an entry with fields' \
    '192.0.2.2 wlan0 1 address-removed true,198.51.100.2 wire 2 address-removed true' \
    "$(jq -r '[.ADDRESS, .INTERFACE, .CONNECTION_COUNT, .CONNECTION_REASON, .CONNECTION_ENDED] | join(" ")' /run/entries.json | paste -sd,)"
is 'the journal has no remote address' '' "$(journalctl --no-pager -o json -u $unit | jq -r '.CONNECTION_REMOTE // empty')"
is 'the metrics count them' 'pathmonitor_ended_connections_total 3' "$(pathctl metrics | grep '^pathmonitor_ended')"
is 'so does the health' 3 "$(pathctl health --json | jq .endedConnections)"
is 'every user may read that' 'pathmonitor_ended_connections_total 3' \
    "$(setpriv --reuid 65534 --clear-groups pathctl metrics | grep '^pathmonitor_ended')"

# MARK: A restart
waiting restart
leave_cable
systemctl restart $unit
join_wifi
within 20 over_is wlan0
within 20 grep -q ECONNABORTED /run/restart.txt
is 'a restart of the unit forgets no address' 'connected ECONNABORTED' "$(paste -sd ' ' /run/restart.txt | cut -d' ' -f1,2)"

# MARK: Its end
systemctl disable --quiet --now $unit
is 'it can be disabled' inactive "$(state $unit)"
is 'then nothing of it is left' '' "$(ls -d /run/pathmonitor-connections /run/private/pathmonitor-connections 2>/dev/null)"
is 'and the metrics have no total' '' "$(pathctl metrics | grep '^pathmonitor_ended')"
finish
