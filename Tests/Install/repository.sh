#!/bin/bash
# repository.sh FOLDER LATER [ARCHIVE]: apt installs, upgrades and removes the package from FOLDER/repository over HTTP,
# as docs/fleet.md says; LATER is a package of a later version. The tree is a copy of this machine, or that of ARCHIVE
# from scripts/make-debian-tree. Tests/Install/run starts this script in mount, process and network namespaces of its
# own, so that no other repository can be reached.
set -u
work=$1 later=$2
. "$(dirname "$0")/checks.sh"
. "$(dirname "$0")/trees.sh"

mount --make-rprivate /
if [ $# = 3 ]; then debian_tree "$3" || exit 1; else
    machine_tree || { echo "SKIPPED the repository: this machine cannot be copied with an overlay"; exit 0; }
    inside dpkg --purge pathmonitor >/dev/null 2>&1
fi
rm -rf "$tree"/etc/apt/sources.list "$tree"/etc/apt/sources.list.d/* "$tree"/var/lib/apt/lists/*
echo 'Acquire::http::Proxy::127.0.0.1 "DIRECT";' >"$tree/etc/apt/apt.conf.d/99direct"

REPOSITORY=$(mktemp -d "$work/served.XXXXXX")
export REPOSITORY
chmod 755 "$REPOSITORY"
cp -r "$work/repository"/* "$REPOSITORY/"
ip link set lo up
python3 -u -m http.server --bind 127.0.0.1 --directory "$REPOSITORY" 8000 >"$work/server" 2>&1 &
ok "the repository is served" timeout 20 sh -c 'tail -n +1 -f "$1" | grep -qm1 Serving' sh "$work/server"

# The example of the page that begins with the line.
example() { awk -v first="$1" '$0 == first { shown = 1 } /^```/ { shown = 0 } shown' docs/fleet.md; }
source=$tree/etc/apt/sources.list.d/pathmonitor.sources
example 'Types: deb' | sed 's#http://packages.example/pathmonitor#http://127.0.0.1:8000#' >"$source"
cp "$REPOSITORY/pathmonitor.asc" "$tree/etc/apt/keyrings/pathmonitor.asc"
installation=$(example 'sudo apt-get update' | sed 's/^sudo //')
installed() { [ "$(inside dpkg-query -W -f '${Status} ${Version}' pathmonitor)" = "install ok installed $1" ]; }
forget() { rm -rf "$tree"/var/lib/apt/lists/* "$tree"/var/cache/apt/archives/*.deb; }
configuration=/etc/pathmonitor/pathmonitord.conf
version=$(dpkg-deb -f "$work/package.deb" Version)

ok "the page's commands install it" inside sh -ec "$installation"
ok "it is the version that was built" installed "$version"
ok "pathctl runs" inside pathctl interfaces --direct
ok "apt knows its origin" sh -c '"$@" | grep -q "o=PathMonitor"' sh chroot "$tree" apt-cache policy
printf '%s\n' '[Monitor]' Settle=1s >"$tree$configuration"

ok "a later version is put into it" env KEY='PathMonitor packages' scripts/build-repository "$later"
# An index that a machine has read before still leads to its list of packages.
ok "the former list of packages is there by its hash" equal "$(find "$REPOSITORY/by-hash" -type f | wc -l)" 2
ok "apt upgrades to it" inside sh -ec 'apt-get update && apt-get upgrade -y'
ok "it is the later version" installed 99.0.0-2
ok "an upgrade keeps the configuration" inside grep -q '^Settle=1s' "$configuration"
ok "the former version can be had" inside apt-get install -y --allow-downgrades "pathmonitor=$version"
ok "it is the former version" installed "$version"
ok "apt removes it" inside apt-get remove -y pathmonitor
ok "removal takes the programs, and keeps the configuration" inside sh -c "! test -e /usr/bin/pathctl && test -e $configuration"
ok "apt purges it" inside apt-get purge -y pathmonitor
ok "an administrator's configuration is left" inside rm -r "${configuration%/*}"
ok "purging leaves no folder" equal "$(inside find /etc /usr/lib /usr/share /var -type d -name 'pathmonitor*')" ""

forget
printf 'x' >>"$REPOSITORY/${later##*/}"
ok "a package that was changed is refused" refused 'Hash Sum mismatch|File has unexpected size' \
    inside sh -ec "$installation"
ok "and not installed" not inside test -e /usr/bin/pathctl
rm "$REPOSITORY/${later##*/}"
for key in 'Somebody else' ''; do
    forget
    # Without a key, only where there is no signature.
    [ -n "$key" ] || rm "$REPOSITORY/InRelease" "$REPOSITORY/pathmonitor.asc"
    ok "the index is made ${key:+by }${key:-without a key}" env KEY="$key" scripts/build-repository
    ok "and refused" refused 'is not signed' inside sh -ec "$installation"
    ok "nothing is installed" not inside test -e /usr/bin/pathctl
done
forget
sed -i 's/^Signed-By: .*/Trusted: yes/' "$source"
ok "an index without a signature is taken if it is trusted" inside sh -ec "$installation"
ok "it is the version that was built, again" installed "$version"
inside apt-get purge -y pathmonitor >/dev/null
forget
cp -r "$REPOSITORY" "$tree/media/stick"
sed -i 's#^URIs: .*#URIs: file:/media/stick#' "$source"
ok "apt installs it from a disk, too" inside sh -ec "$installation"
exit "$failed"
