#!/bin/bash
# Permissions: root and members of the group pathmonitor may override. Other users may only query, and cannot reach the
# service's files.
set -u
job=$(cd "$(dirname "$0")" && pwd)
. "$job/service.sh"
serve_uplink
useradd --groups pathmonitor member
useradd other

is 'everybody may look' 'satisfied wiredEthernet' "$(as other pathctl status --json | jq -rc "$verdict")"
as member pathctl override set isExpensive true --why 'a test' 2>/run/errors
is 'a member may override' 0 "$?$(cat /run/errors)"
is 'which is in effect for all' true "$(as other pathctl status --json | jq .isExpensive)"
is 'with who said so' "metered, set by user $(id -u member) (\"a test\")" \
    "$(served status --json | jq -r '.overrides[0]')"
as other pathctl override clear >/run/answer 2>&1
is 'another user may not take it back' 'failed and told why' \
    "$([ $? -ne 0 ] && echo failed) and $(grep -q "group 'pathmonitor'" /run/answer && echo 'told why' || cat /run/answer)"
as other pathctl override set isConstrained true >/run/answer 2>&1
is 'nor set one' 'failed and told why' \
    "$([ $? -ne 0 ] && echo failed) and $(grep -q "group 'pathmonitor'" /run/answer && echo 'told why' || cat /run/answer)"
is 'and has changed nothing' 'true false' "$(served status --json | jq -r '"\(.isExpensive) \(.isConstrained)"')"
is 'without the service everybody sees it too' true "$(as other pathctl status --direct --json | jq .isExpensive)"

# MARK: Membership is checked at each call
usermod --append --groups pathmonitor other
is 'who becomes a member may, from the next call on' 0 "$(as other pathctl override clear >/dev/null 2>&1; echo $?)"
gpasswd --delete other pathmonitor >/dev/null
is 'and who is none any more may not' no "$(as other pathctl override set isExpensive true 2>/dev/null && echo yes || echo no)"
is 'root may' 0 "$(served override set isExpensive true; echo $?)"
systemctl restart pathmonitord.service
is 'what was said is kept over a restart' true "$(served status --json | jq .isExpensive)"

# MARK: Files
is 'the file is there for everybody to read' 644 "$(stat -c %a /run/pathmonitord/overrides.json)"
is 'its owner is the service' "$(ps -o uid= -p "$(pid)" | tr -d ' ')" "$(stat -c %u /run/pathmonitord/overrides.json)"
for name in member other; do
    # The words are for the shell of the user.
    # shellcheck disable=SC2016
    attempts=$(as $name sh -c '
        { echo >>/run/pathmonitord/overrides.json; } 2>/dev/null && echo written
        { : >/run/pathmonitord/overrides.json.new; } 2>/dev/null && echo made
        rm -f /run/pathmonitord/overrides.json 2>/dev/null && echo removed
        mv /run/pathmonitor/io.pathmonitor.PathMonitor /run/pathmonitor/x 2>/dev/null && echo moved
        kill -9 "$1" 2>/dev/null && echo killed' sh "$(pid)")
    is "nothing but calls is open to the user '$name'" '' "$attempts"
done
is 'a user cannot start or stop the targets' no \
    "$(as member systemctl --no-ask-password start path-online.target 2>/dev/null && echo yes || echo no)"
served override clear
is 'what root clears is gone' false "$(as other pathctl status --json | jq .isExpensive)"
finish
