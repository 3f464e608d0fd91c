#!/bin/bash
# Wi-Fi: two simulated radios, one the access point in a network namespace, the other ours.
set -u
. "$(dirname "$0")/helpers.sh"

access_point() { # access_point PASSPHRASE
    cat >/run/hostapd.conf <<END
interface=wlan1
driver=nl80211
ssid=simulated
hw_mode=g
channel=1
wpa=2
wpa_key_mgmt=WPA-PSK
rsn_pairwise=CCMP
wpa_passphrase=$1
END
    ip netns exec ap hostapd -B -P /run/hostapd.pid /run/hostapd.conf >/dev/null
    ip netns exec ap ip addr add 192.0.2.1/24 dev wlan1 2>/dev/null
}
stop_access_point() {
    local process; process=$(cat /run/hostapd.pid)
    kill "$process"
    within 10 eval "! kill -0 $process 2>/dev/null"
}
is_dormant() { operstate_is wlan0 dormant; }
says_dormant() { has_update '.unsatisfiedReason == "dormant"'; }
wlan0_is_gone() { [ ! -e /sys/class/net/wlan0 ]; }

needs 'simulated radios (mac80211_hwsim)' modprobe -n mac80211_hwsim
start_watch
path_is 'without any interface there is no path' "$verdict" 'unsatisfied noInterface'

# MARK: A radio without an access point
set_mark
modprobe mac80211_hwsim radios=2; udevadm settle
ip netns add ap; ip netns exec ap ip link set lo up
iw phy "phy$(iw dev wlan1 info | awk '$1 == "wiphy" { print $2 }')" set netns name ap
type_is 'wlan0 is of type wifi' wlan0 wifi
is 'wlan0 has the driver mac80211_hwsim' mac80211_hwsim "$(interface wlan0 .driver)"
path_is 'a radio that is down makes no path' "$verdict" 'unsatisfied noInterface'
ip link set wlan0 up
comes_to 'a radio without an access point has no carrier' 'unsatisfied noCarrier'
announces 2 'which the watch says, too' 'unsatisfied noCarrier'

# MARK: Connecting
access_point 'the right key'
cat >/run/wpa.conf <<'END'
ctrl_interface=/run/wpa_supplicant
network={
 ssid="simulated"
 psk="the right key"
}
END
wpa_supplicant -B -i wlan0 -c /run/wpa.conf >/dev/null
await_operstate wlan0 up
comes_to 'connected without an address' 'unsatisfied noAddress'
announces 2 'which the watch says, too' 'unsatisfied noAddress'
never 'nothing is satisfied so far' satisfied
agrees 'after connecting'
ip addr add 192.0.2.2/24 dev wlan0
comes_to 'an address without a default route' 'unsatisfied noRoute'
set_mark
ip route add default via 192.0.2.1
announces 2 'with address and default route the watch says satisfied' 'satisfied wifi'
path_is 'the path is over wlan0 alone' '[.interfaces[].name]' '["wlan0"]'
path_is 'the interface has the name of its network' '[.interfaces[].networkName]' '["simulated"]'
is 'which is a field, too' simulated "$($pathctl status --field interface.networkName)"
path_is 'the gateway is the access point' .gateways '["192.0.2.1"]'
path_is 'it is not expensive, no tunnel, IPv4 only' '[.isExpensive, .usesTunnel, .supportsIPv4, .supportsIPv6]' \
    '[false,false,true,false]'
agrees 'when connected'

# MARK: A rule for the network of this name
printf '[Match]\nSSID=simul*\n[Path]\nConstrained=yes\n' >/run/ours.conf
printf '[Match]\nSSID=!simulated\n[Path]\nConstrained=yes\n' >/run/others.conf
constrained() { $pathctl status --json --config "$1" | jq -rc '[.isConstrained, .cost.confidence]'; }
is 'a rule for the name of the network counts' '[true,"unknown"]' "$(constrained /run/ours.conf)"
is 'one for all other networks does not' '[false,"unknown"]' "$(constrained /run/others.conf)"
$pathctl watch --json --settle 0 --config /run/ours.conf >/run/named.jsonl 2>>/run/watch-errors &
named=$!

# MARK: Noise
within 10 eval '! ip -6 addr show dev wlan0 | grep -q tentative'
set_mark
# A few channels only: a background scan of all simulated channels takes long. And iw(8) waits for ever for a scan whose
# end it has missed.
scans() {
    timeout 20 iw dev wlan0 scan freq 2412 2437 2462 >/run/scan 2>/run/error && grep -q 'SSID: simulated' /run/scan
}
if within 30 scans; then is_silent 'a scan while connected prints no update'
else skip 'a scan while connected' "the simulated radio does not scan: $(tr '\n' ' ' </run/error)"; fi

# The simulation's monitor device: it carries no packets of ours, up or not.
set_mark
ip link set hwsim0 up
is_silent 'the monitor device hwsim0 coming up prints no update'
ip addr add 203.0.113.2/24 dev hwsim0
is_silent 'nor does its address'
path_is 'hwsim0 is not among the interfaces of the path' '[.interfaces[].name]' '["wlan0"]'
ip route replace default via 203.0.113.1 dev hwsim0
path_is 'a default route over hwsim0 makes no path' .status unsatisfied
ip route replace default via 192.0.2.1 dev wlan0
ip link set hwsim0 down; ip addr flush dev hwsim0
comes_to 'the path is over wlan0 again' 'satisfied wifi'
agrees 'after the monitor device'

# MARK: The access point goes, and comes back
set_mark
stop_access_point
await_operstate wlan0 down
announces 2 'the access point stops: the watch says noCarrier within 2 s' 'unsatisfied noCarrier'
is 'address and routes are still there (not about the program)' '1 1' \
    "$(ip -4 -o addr show dev wlan0 | wc -l) $(ip -4 route show default | wc -l)"
agrees 'without the access point'

# With another key the handshake never ends, so that the link stays dormant for seconds, address and route in place.
set_mark
access_point 'quite another key'
wpa_cli -p /run/wpa_supplicant -i wlan0 select_network 0 >/dev/null
if within 30 is_dormant; then
    explains 'during the handshake the explanation says what wlan0 waits for' 'waits for authentication'
    if within 2 says_dormant; then pass 'during the handshake the watch says dormant'
    else fail 'during the handshake the watch says dormant' dormant "$(marked_verdicts)"; fi
    sleep 3
else
    fail 'wlan0 becomes dormant (not about the program)' dormant "$(cat /sys/class/net/wlan0/operstate)"
fi
never 'a handshake that does not end is never satisfied' satisfied
stop_access_point
await_operstate wlan0 down
agrees 'after the failed handshakes'

set_mark
ip -4 -o monitor route >/run/routes & monitor=$!
sleep 0.5
access_point 'the right key'
wpa_cli -p /run/wpa_supplicant -i wlan0 select_network 0 >/dev/null
await_operstate wlan0 up
announces 2 'the access point returns: the watch says satisfied' 'satisfied wifi'
is 'before that it says only noCarrier and dormant' '' \
    "$(marked | jq -r "$verdict" | sed '/^satisfied/,$d' | grep -Ev ' (noCarrier|dormant)$')"
kill $monitor
is 'all without a message about an IPv4 route (not about the program)' '' "$(cat /run/routes)"
agrees 'with the access point back'
named_is() { [ "$(tail -n 1 /run/named.jsonl | jq -rc '[.status, .isConstrained]')" = "$1" ]; }
within 5 named_is '["satisfied",true]'
is 'the rule for the name of the network counts again' '["satisfied",true]' \
    "$(tail -n 1 /run/named.jsonl | jq -rc '[.status, .isConstrained]')"
kill $named

# MARK: The radio's switch
switch=$(echo /sys/class/net/wlan0/phy80211/rfkill*)/soft
set_mark
echo 1 >"$switch"
announces 2 'the radio is switched off: no interface is up' 'unsatisfied noInterface'
agrees 'with the radio off'
set_mark
echo 0 >"$switch"; ip link set wlan0 up
await_operstate wlan0 up
announces 2 'it is switched on: the kernel has dropped the default route' 'unsatisfied noRoute'
never 'nothing is satisfied until it is back' satisfied
ip route add default via 192.0.2.1
announces 2 'the default route is back: satisfied' 'satisfied wifi'
agrees 'with the radio on'

# MARK: The radio is pulled out
set_mark
rmmod mac80211_hwsim
within 10 wlan0_is_gone
announces 2 'the radio is removed: no interface is left' 'unsatisfied noInterface'
agrees 'without the radio'
is 'the watch has nothing to complain of' '' "$(cat /run/watch-errors)"
finish
