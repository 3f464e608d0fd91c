#!/bin/bash
# The recorder under systemd: with its own user and folder, through an outage and while the service is stopped.
set -u
job=$(cd "$(dirname "$0")" && pwd)
. "$job/service.sh"
. "$job/recorder.sh"
install_recorder
make_uplink

is 'the recorder is not enabled by itself' disabled "$(systemctl is-enabled $unit)"
start_service
systemctl start $unit
becomes 30 'it runs' active $unit
within 20 past_is '.connectedMicroseconds > 0' true
is 'it has found the path' 'true 0' "$(past '.connectedMicroseconds > 0') $(past .outageCount)"
is 'everybody may read the history' true "$(setpriv --reuid 65534 --regid 65534 --clear-groups \
    pathctl history --json --since 1h | jq '.connectedMicroseconds > 0')"

unplug
within 20 past_is .outageCount 1
is 'an outage is recorded while it lasts' '1 noCarrier' "$(past .outageCount) $(past '.outages[-1].cause')"
plug
within 20 past_is '.outages[-1].ending' connected
is 'and its end, with the interface that is back' 'connected wire' \
    "$(past '.outages[-1].ending') $(past '.outages[-1].back.interface')"

systemctl stop pathmonitord.socket pathmonitord.service
within 20 past_is '.notWatchedMicroseconds > 0' true
start_service
within 20 past_is '.notWatchedMicroseconds > 0 and .outageCount == 1' true
is 'the time without the service is not watched, and no outage' 'true 1' \
    "$(past '.notWatchedMicroseconds > 0') $(past .outageCount)"
systemctl kill --signal=KILL $unit
becomes 30 'the recorder comes back after it was killed' active $unit
is 'and invents no outage' 1 "$(past .outageCount)"

# The outage ends over Wi-Fi, and the recorder asks the kernel for the name of the network.
unplug
within 20 past_is .outageCount 2
modprobe mac80211_hwsim radios=2; udevadm settle
ip netns add ap
iw phy "phy$(iw dev wlan1 info | awk '$1 == "wiphy" { print $2 }')" set netns name ap
printf '%s\n' interface=wlan1 driver=nl80211 'ssid=café "1"' hw_mode=g channel=1 >/run/hostapd.conf
ip netns exec ap hostapd -B -P /run/hostapd.pid /run/hostapd.conf >/dev/null
printf '%s\n' 'network={' " ssid=$(printf 'café "1"' | od -An -tx1 | tr -d ' \n')" ' key_mgmt=NONE' '}' >/run/wpa.conf
wpa_supplicant -B -i wlan0 -c /run/wpa.conf >/dev/null
within 60 grep -qx up /sys/class/net/wlan0/operstate
ip addr add 192.0.2.2/24 dev wlan0
ip route replace default via 192.0.2.1 dev wlan0
within 20 past_is '.outages[-1].ending' connected
is 'the end of an outage over Wi-Fi has the name of the network' 'wlan0 café "1"' \
    "$(past '.outages[-1].back | .interface + " " + .network')"
is 'and so has the table of records' 'wlan0,wifi,192.0.2.1,"café ""1"""' \
    "$(pathctl history --csv --since 1h | tail -n 1 | cut -d, -f8-11)"
drop_in $unit '[Service]' ExecStart= \
    'ExecStart=/usr/libexec/pathmonitor/pathmonitor-history record --config /run/history.conf'
printf '[History]\nNetworkNames=no\n' >/run/history.conf
systemctl restart $unit
within 20 eval '[ "$(pathctl history --csv --since 1h | tail -n 1 | cut -d, -f8-11)" = wlan0,wifi,192.0.2.1, ]'
is 'a file can forbid the recording of names' 'wlan0,wifi,192.0.2.1,' \
    "$(pathctl history --csv --since 1h | tail -n 1 | cut -d, -f8-11)"
is 'its files belong to its user' 'pathmonitor-history 755' "$(stat -c '%U %a' /var/lib/pathmonitor-history)"
finish
