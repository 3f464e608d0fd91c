#!/bin/bash
# The guide docs/validation.md, as somebody reads it who has never used the programs: each command of its first part is
# typed as it stands and in its order, at home and in a hotel with NetworkManager. Each picture is what is seen.
set -u
job=$(cd "$(dirname "$0")" && pwd)
. "$job/service.sh"
needs 'package: make deb' test -e "$job"/pathmonitor_*.deb
. "$job/hotel.sh"
dpkg -i "$job"/libsqlite3-0_*.deb >/dev/null
announcement=--dhcp-option=114,https://portal.hotel.example/api
open_hotel
export DEBIAN_FRONTEND=noninteractive
cp "$job"/pathmonitor_*.deb /home/guest/
# The browser that xdg-open starts, with the guest before it.
stand_in xdg-open 'echo "$*" >>/run/pages' \
    "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt exec python3 $job/hotel.py sign-in \"\$1\" >/run/user/\$(id -u)/page"
sees() { nmcli -t -f SSID device wifi list 2>/dev/null | grep -qx "$1"; }
joins() { within 120 sees "$1" && nmcli device wifi connect "$1" >/run/nmcli.log 2>&1; }
systemctl start NetworkManager.service
open_access Home
ip netns exec access nft add element inet hotel guests "{ $(seq -f 192.0.2.%g -s , 50 60) }"
within 60 joins Home || hotel_fails
# travel: from home to the hotel, which nmcli(1) lists when the desktop would.
travel() {
    pathctl watch --json --settle 0 >/run/travel.jsonl & watch=$!
    close_access
    open_access Hotel $announcement
    within 180 sees Hotel || hotel_fails
}

# The blocks of the part, each as a file in order. Those that are indented are commands, or begin with a prompt or the
# frame of a notification.
mkdir /run/blocks
awk '/^## / { part = $0 == "## In a hotel" }
    part && /^    / {
        if (!inside) file = sprintf("/run/blocks/%02d", ++count)
        if (gap) print "" >file
        print substr($0, 5) >file
        inside = 1; gap = 0; next
    }
    /^$/ { gap = inside; next }
    { inside = gap = 0 }' "$job/docs/validation.md"
is 'the guide has a part for a hotel' yes "$([ -e /run/blocks/05 ] && echo yes)"

# type_in COMMAND: as the guest. The settings of the desktop need no password.
type_in() {
    case $1 in
        sudo\ * | nmcli\ *) (cd /home/guest && sh -c "${1#sudo }") ;;
        *) as_guest sh -c "$1" ;;
    esac </dev/null
}
# words: without columns, and without numbers that count seconds.
words() { tr -s ' ' | sed -E 's/^ //; s/ $//; s/[0-9]+ s ago/N s ago/; s/for [0-9]+ s$/for N s/'; }

# look_at_notification BLOCK: the last one has the words between the frames.
look_at_notification() {
    local expected; expected=$(sed -E 's/^│ //; s/ *│$//; /^[╭╰]/d' "$1" | paste -sd :)
    last_is() { [ "$(tail -n 1 /run/notifications)" = "$expected" ]; }
    within 60 last_is
    is "the guest is notified: $expected" "$expected" "$(tail -n 1 /run/notifications)"
}
# look BLOCK: each line of a picture is in the output of its command, and no other one unless the picture has a line
# '…'.
look() {
    local command='' line
    while IFS= read -r line; do
        if [[ $line = '$ '* ]]; then
            [ -z "$command" ] || compare "$command"
            command=${line#'$ '}
            : >/run/expected
        else
            printf '%s\n' "$line" >>/run/expected
        fi
    done <"$1"
    compare "$command"
}
compare() {
    type_in "$1" >/run/seen 2>&1
    words </run/seen | sort -u >/run/seen-words
    words </run/expected | grep -vx '…' | sort -u >/run/expected-words
    is "the picture of '$1' has nothing that is not seen" '' "$(comm -13 /run/seen-words /run/expected-words)"
    grep -qx '…' /run/expected || is "and everything that is" '' "$(comm -23 /run/seen-words /run/expected-words)"
    { echo "\$ $1"; cat /run/seen; } | sed 's/^/#     /'
}

# A verdict ends with its validator, and the next one takes a round.
has_verdict() { pathctl check validated >/dev/null 2>&1; [ $? != 69 ]; }

for block in /run/blocks/*; do
    case $(head -n 1 "$block") in
        '$ '*) look "$block" ;;
        ╭*) look_at_notification "$block" ;;
        *)
            while IFS= read -r command; do
                [[ $command = nmcli\ * ]] && travel
                type_in "$command" >/run/typed 2>&1
                is "typed: $command" 0 "$?$([ $? = 0 ] || tail -n 3 /run/typed)"
                [[ $command != *'restart pathmonitor-validation' ]] || within 20 has_verdict
            done <"$block"
            ;;
    esac
done
kill $watch
# Both routers have the same address.
is 'until the hotel is known to want a sign-in, no verdict of home is published' unknown \
    "$(jq -r 'select(.interfaces[0].networkName == "Hotel").validation.state' /run/travel.jsonl | sed '/portal/,$d' | uniq)"
requests | sed 's/^/# /'
journal pathmonitor-validation.service | sed 's/^/# /'
finish
