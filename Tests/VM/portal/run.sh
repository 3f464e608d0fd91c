#!/bin/bash
# A hotel's Wi-Fi with a sign-in page, as a guest meets it: from the association to the page, the sign-in and the day
# after. First the service alone, which sends nothing, then with the validator, then with NetworkManager's word. The
# access point counts what the guest sends.
set -u
job=$(cd "$(dirname "$0")" && pwd)
. "$job/service.sh"
. "$job/hotel.sh"
api=https://portal.hotel.example/api page=https://portal.hotel.example/
validator=pathmonitor-validation.service
open_hotel
open_access Hotel --dhcp-option=114,$api
install_files
install -D -m755 "$job/pathmonitor-validation" /usr/libexec/pathmonitor/pathmonitor-validation
printf '%s\n' '[Unit]' PartOf=path-validated.target After=path-validated.target '[Service]' \
    'ExecStart=/usr/bin/sleep infinity' '[Install]' WantedBy=path-validated.target >/etc/systemd/system/bound.service
systemctl daemon-reload
systemctl enable --quiet bound.service
start_service
systemctl start pathmonitor-targets.service

validation() { served status --json | jq -rc "$1"; }
state='.validation.state'
validation_is() { [ "$(validation "$1")" = "$2" ]; }
# comes_to_be SECONDS WHAT STATE: the validation of the path gets there, and the path itself is connected.
comes_to_be() {
    local begin=${EPOCHREALTIME/./}
    within "$1" validation_is "$state" "$3"
    is "$2" "satisfied $3" "$(validation '.status + " " + .validation.state')"
    echo "# $3 after $(((${EPOCHREALTIME/./} - begin) / 100000))e-1 s"
}
# status_of COMMAND...: its exit status.
status_of() { "$@" >/run/job-output 2>&1; echo $?; }
# has WHAT TEXT COMMAND...: its output has the text, wherever columns begin.
has() {
    "${@:3}" 2>&1 | tr -s ' ' >/run/job-output
    if grep -qF -- "$2" /run/job-output; then pass "$1"; else fail "$1" "$2" "$(</run/job-output)"; fi
}

stays_connected() { is 'the path was connected all the time' satisfied "$(jq -r .status /run/guest.jsonl | uniq | paste -sd,)"; }

# MARK: Arrival, without the validator
printf '%s\n' ctrl_interface=/run/wpa_supplicant 'network={' ' ssid="Hotel"' ' key_mgmt=NONE' '}' >/run/wpa.conf
lease=/var/lib/dhcp/dhclient.wlan0.leases
associate() { wpa_supplicant -B -i wlan0 -c /run/wpa.conf >/run/wpa.log && await_operstate wlan0 up; }
obtain() { dhclient -q -1 -lf $lease -pf /run/dhclient.pid wlan0 >/run/dhclient.log 2>&1; }
associate
obtain
is 'with a lease the guest is connected' 'satisfied wifi' "$(within 20 served_verdict_is 'satisfied wifi'; served_verdict)"
is 'nothing is known of the Internet' '["unknown",null]' "$(validation '[.validation.state, .validation.portal]')"
has 'a client that does not ask for the address of the sign-in is named' 'also request default-url;' pathctl explain
dhclient -q -r -lf $lease -pf /run/dhclient.pid wlan0 >/run/dhclient.log 2>&1
echo 'also request default-url;' >>/etc/dhcp/dhclient.conf
obtain
within 20 validation_is .validation.portal $api
pathctl watch --json --settle 0 >/run/guest.jsonl 2>/run/watch-errors & watch=$!
within 20 test -s /run/guest.jsonl
is 'with that line the address for the sign-in is known' "[\"satisfied\",\"unknown\",\"$api\"]" \
    "$(validation '[.status, .validation.state, .validation.portal]')"
has 'explain shows it' 'unknown lease the DHCP lease of wlan0 names an address for the sign-in: https://portal.hotel.example/api' pathctl explain
is 'whether one is wanted is not known' 69 "$(status_of as_guest pathctl portal)"
is 'nor is it to a script' '69 0' "$(status_of as_guest pathctl check validated) $(status_of as_guest pathctl check not-portal)"
sleep 5
is '(packets) nothing has been sent' '0 0 0' "$(sent)"

# MARK: The validator
# The example with its hosts, as an administrator would have it.
mkdir -p /etc/pathmonitor
sed 's/^#Host=/Host=/' "$job/systemd/examples/validation.conf" >/etc/pathmonitor/validation.conf
install -D -m644 "$job/systemd/user/portal-notification.service" /usr/lib/systemd/user/portal-notification.service
as_guest systemctl --user daemon-reload
as_guest systemctl --user enable --quiet --now portal-notification.service
is 'the notification waits' 'active 0' \
    "$(as_guest systemctl --user is-active portal-notification.service) $(wc -l </run/notifications)"
pathctl wait validated >/run/waited & waits=$!
systemctl start $validator
comes_to_be 60 'with the validator the network is a portal, and the path stays connected' portal
is 'the page is the one that the network names' $page "$(validation .validation.portal)"
is 'pathctl shows the page' "0 $page" "$(status_of as_guest pathctl portal) $(</run/job-output)"
is 'it is not validated, and wants a sign-in' '1 1 0' "$(status_of as_guest pathctl check validated) \
$(status_of as_guest pathctl check not-portal) $(status_of as_guest pathctl check portal)"
has 'explain shows that the network itself wants a sign-in' 'the network wants a sign-in' pathctl explain
has 'and the redirect' "a redirect to '$page'" pathctl explain
has 'and what came by https' 'https://detectportal.firefox.com/success.txt by IPv4: the connection was refused, reset' \
    pathctl explain
is 'the guest is notified' 'The network wants a sign-in:pathctl portal --open' \
    "$(within 20 eval '[ -n "$(notifications)" ]'; notifications)"
as_guest pathctl portal --open
is 'the page is opened as the guest' "guest $page" "$(cat /run/pages)"
is '(packets) only their names are looked up, and nothing else is sent' \
    'connectivity-check.ubuntu.com detectportal.firefox.com portal.hotel.example 0' "$(asked_names) $(counter others)"
is 'nothing that waits for the Internet has begun' 'inactive inactive' "$(states path-validated.target bound.service)"

# MARK: The sign-in
is 'the guest signs in' Welcome "$(sign_in "$(as_guest pathctl portal)")"
comes_to_be 620 'after the sign-in the network is validated' validated
within 10 eval "! kill -0 $waits 2>/dev/null"
wait $waits
is 'a command that has waited for it goes on' 0 $?
becomes 20 'and so do units' 'active active' path-validated.target bound.service
both='The network wants a sign-in:pathctl portal --open;The network wants no sign-in any more'
is 'the guest is notified of it' "$both" "$(within 20 notifications_are "$both"; notifications)"
is 'no sign-in is wanted' '1 0 0' "$(status_of as_guest pathctl portal) $(status_of as_guest pathctl check validated) \
$(status_of as_guest pathctl check not-portal)"
has 'explain shows the answer that decided' '* validated host' pathctl explain
before=$(sent)
sleep 15
is '(packets) while the network is validated, nothing is sent' "$before" "$(sent)"
stays_connected
is 'the guest was not bothered again' "$both" "$(notifications)"

# MARK: Another day
close_access
within 30 served_verdict_is 'unsatisfied noCarrier'
is 'away from the hotel there is no path, and no verdict' '["unsatisfied","unknown",null,0]' \
    "$(validation '[.status, .validation.state, .validation.portal, (.validation.evidence | length)]')"
becomes 60 'what needs the Internet is stopped' 'inactive inactive' path-validated.target bound.service
systemctl stop $validator
wpa_cli -p /run/wpa_supplicant -i wlan0 terminate >/dev/null
dhclient -q -x -lf $lease -pf /run/dhclient.pid wlan0 >/run/dhclient.log 2>&1
ip addr flush dev wlan0; : >/etc/resolv.conf; rm $lease

# MARK: NetworkManager's word, without the validator
open_access Hotel --dhcp-option=114,$api
systemctl start NetworkManager.service && within 30 nmcli -t general status >/dev/null
joins() { nmcli device wifi connect Hotel >/run/nmcli.log 2>&1; }
within 120 joins
is 'NetworkManager connects the guest' 'satisfied wifi' "$(within 30 served_verdict_is 'satisfied wifi'; served_verdict)"
comes_to_be 60 'its word is taken' portal
has 'explain shows it' '* portal networkManager' pathctl explain
is 'it knows a portal, and no page' 1 "$(status_of as_guest pathctl portal)"
is '(packets) only its host was asked' network-test.debian.org "$(asked_names)"
is 'the guest signs in' Welcome "$(sign_in http://connectivity-check.ubuntu.com/)"
nmcli networking connectivity check >/run/nmcli.log 2>&1
comes_to_be 30 'its next word is taken, too' validated
kill $watch
is 'the watch has nothing to complain of' '' "$(cat /run/watch-errors)"
is 'no service has failed' '0 0 0' "$(property pathmonitord.service NRestarts) $(property $validator NRestarts) \
$(property pathmonitor-targets.service NRestarts)"
journal $validator | sed 's/^/# /'
finish
