# Sourced by the jobs about the recorder, in the VM, after service.sh.
# shellcheck shell=bash
unit=pathmonitor-history.service

install_recorder() {
    dpkg -x "$job"/libsqlite3-0_*.deb / && ldconfig
    install_files
    install -D -m755 "$job/pathmonitor-history" /usr/libexec/pathmonitor/pathmonitor-history
}

# past KEY: a value of the report on the last hour.
past() { pathctl history --json --since 1h | jq -r "$1"; }
past_is() { [ "$(past "$1")" = "$2" ]; }
