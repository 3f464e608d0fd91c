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
is 'its files belong to its user' 'pathmonitor-history 755' "$(stat -c '%U %a' /var/lib/pathmonitor-history)"
finish
