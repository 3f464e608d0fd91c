#!/bin/bash
# package.sh FOLDER: installs, upgrades, removes and purges FOLDER/package.deb in a copy of this machine, and with it
# FOLDER/python.deb.
# Tests/Install/run starts this script in a mount namespace of its own; nothing of it reaches the machine.
set -u
work=$1
. "$(dirname "$0")/checks.sh"
. "$(dirname "$0")/trees.sh"

mount --make-rprivate /
machine_tree || { echo "SKIPPED installing the package: this machine cannot be copied with an overlay"; exit 0; }
cp "$work/python.deb" "$tree/tmp/"
# The files that only the copy has, and the files that it has lost, without those that packages share. They come from
# the layer of the copy, so writes of other programs to the machine do not matter.
files() {
    (cd "$work/memory/upper" && find . ! -type d -printf '%y /%P\n') | while read -r kind path; do
        if [ "$kind" = c ]; then echo "$path is gone"; elif ! [ -e "$path" ] && ! [ -L "$path" ]; then echo "$path"; fi
    done | grep -vE '^/var/(lib/dpkg|log|cache|lib/apt)/|^/etc/[^/]*-$' | sort
}
configuration=/etc/pathmonitor/pathmonitord.conf

# A machine on which the package was never installed.
inside dpkg --purge pathmonitor >/dev/null 2>&1
before=$(files)
ok "it installs, with what it depends on" inside apt-get install -y -qq /tmp/package.deb
ok "its groups are there" inside getent group pathmonitor pathmonitor-state
ok "the recorder has a user" inside getent passwd pathmonitor-history
ok "the folder of the overrides is there" inside test -d /run/pathmonitord
ok "the socket and the service of the targets are enabled" equal "$(inside find /etc/systemd/system -name '*path*' | sort)" \
    "/etc/systemd/system/multi-user.target.wants/pathmonitor-targets.service
/etc/systemd/system/sockets.target.wants/pathmonitord.socket"
ok "pathctl runs" inside pathctl interfaces --direct
ok "pathctl explains itself" inside sh -c 'man -w pathctl pathmonitord pathmonitor.conf pathmonitor-targets.service &&
    man -w path-online.target path-unmetered.target path-validated.target'
ok "the folder of rules is there" inside test -d "$configuration.d"
ok "the description of the interface is as it was written" inside grep -q '^interface io.pathmonitor.PathMonitor' \
    /usr/share/doc/pathmonitor/io.pathmonitor.PathMonitor.varlink
ok "systemd takes the units" inside systemd-analyze verify --man=no /lib/systemd/system/pathmonitord.service \
    /lib/systemd/system/pathmonitord.socket /lib/systemd/system/pathmonitor-targets.service \
    /lib/systemd/system/pathmonitor-hooks.service /lib/systemd/system/pathmonitor-history.service \
    /lib/systemd/system/pathmonitor-validation.service /lib/systemd/system/pathmonitor-connections.service
ok "the rules for Prometheus are there" inside grep -q 'alert: PathMonitorUplinkLost' \
    /usr/share/pathmonitor/prometheus/pathmonitor.rules.yml
ok "systemd takes the examples of metrics" inside systemd-analyze verify --man=no \
    /usr/share/doc/pathmonitor/examples/pathmonitor-metrics.timer
ok "the folder of the hooks is there, root's alone to write" equal \
    "$(inside stat -c '%F %U %a' /etc/pathmonitor/hooks.d)" "directory root 755"
ok "no file of it was changed on the way" equal "$(inside dpkg --verify pathmonitor)" ""
ok "bash-completion finds the completion" inside bash -c '. /usr/share/bash-completion/bash_completion
    _completion_loader pathctl; complete -p pathctl'
ok "fish finds it" inside sh -c 'fish -c "complete -C \"pathctl wa\"" | grep -q ^watch'
ok "zsh finds it" inside zsh -fc 'autoload -Uz compinit; compinit -D -u; [ "$_comps[pathctl]" = _pathctl ]'
ok "the package for Python installs" inside dpkg -i /tmp/python.deb
ok "it asks the kernel while no service runs" equal "$(inside /usr/bin/python3 -c \
    "import pathmonitor; print(pathmonitor.__version__, pathmonitor.current().source)" 2>/dev/null)" \
    "$(inside pathctl --version | cut -d ' ' -f 2) direct"
ok "pip knows it" inside sh -c '/usr/bin/python3 -c "import importlib.metadata as m; print(m.version(\"pathmonitor\"))"'
ok "it can be purged before the other" inside dpkg -P python3-pathmonitor
ok "no configuration file is there" not inside test -e "$configuration"
printf '%s\n' '[Monitor]' Settle=1s >"$tree$configuration"
ok "it upgrades" inside dpkg -i /tmp/package.deb
ok "an upgrade keeps the configuration" inside grep -q '^Settle=1s' "$configuration"
ok "it can be removed" inside dpkg -r pathmonitor
ok "removal keeps the configuration" inside grep -q '^Settle=1s' "$configuration"
ok "removal takes the programs" not inside test -e /usr/bin/pathctl
# The configuration of a roll-out that is there before the package.
ok "it installs beside a configuration, and nobody is asked" inside sh -c \
    'apt-get install -y -qq --reinstall /tmp/package.deb </dev/null'
ok "which stays" inside grep -q '^Settle=1s' "$configuration"
ok "it can be removed with it" inside dpkg -P pathmonitor
ok "an administrator's configuration is left" equal "$(inside find /etc/pathmonitor -type f)" "$configuration"
inside rm -r /etc/pathmonitor
# As the package was that had the file, with comments alone.
former() {
    rm -rf "$work/former" && dpkg-deb --raw-extract "$work/package.deb" "$work/former" &&
        sed -i 's/^Version: .*/Version: 0.1.0-1/' "$work/former/DEBIAN/control" &&
        echo '# comments' >"$work/former$configuration" && echo "$configuration" >"$work/former/DEBIAN/conffiles" &&
        dpkg-deb --root-owner-group -Znone --build "$work/former" "$tree/tmp/former.deb"
}
ok "a package is built that ships the file" former
ok "it installs" inside dpkg -i /tmp/former.deb
ok "with its file" inside grep -qx '# comments' "$configuration"
ok "it upgrades to the one without" inside sh -c 'dpkg -i /tmp/package.deb </dev/null'
ok "a file that was not edited goes" not inside test -e "$configuration"
ok "and is forgotten" equal "$(inside dpkg-query -W -f '${Conffiles}' pathmonitor)" ""
ok "the one that ships it comes back" inside dpkg -i /tmp/former.deb
printf '%s\n' '[Monitor]' Settle=1s >"$tree$configuration"
ok "it upgrades again, and nobody is asked" inside sh -c 'dpkg -i /tmp/package.deb </dev/null'
ok "a file that was edited stays in force" inside grep -qx Settle=1s "$configuration"
ok "under its own name alone" equal "$(inside find /etc/pathmonitor -type f)" "$configuration"
ok "the service has a user" inside getent passwd pathmonitord
inside install -d -o pathmonitor-history /var/lib/pathmonitor-history
ok "it can be purged" inside dpkg -P pathmonitor
ok "purging leaves nothing" equal "$before" "$(files)"
ok "purging leaves no folder" equal "$(inside find /etc /lib/ /usr /var -type d -name '*pathmonitor*')" ""
ok "purging takes the users that own nothing" \
    equal "$(for table in passwd group; do inside getent $table pathmonitord pathmonitor-connections; done)" ""
ok "purging leaves nothing in /run" equal "$(inside find /run -name '*pathmonitor*')" ""
exit "$failed"
