# Sourced by the scripts of this folder, which set `work` to a folder of their own before.
# shellcheck shell=bash
failed=0

# ok WHAT COMMAND...: whether the command succeeds.
ok() {
    local what=$1
    shift
    if "$@" >"$work/output" 2>&1; then echo "ok      $what"; else
        echo "FAILED  $what: $*"
        sed 's/^/        /' "$work/output"
        failed=1
    fi
}
not() { ! "$@"; }
# equal A B
equal() { [ "$1" = "$2" ] || { echo "$1"; echo "is not"; echo "$2"; return 1; }; }
# refused PATTERN COMMAND...: whether the command fails, and says why.
refused() {
    local pattern=$1
    shift
    if "$@" >"$work/refusal" 2>&1; then cat "$work/refusal"; return 1; fi
    cat "$work/refusal"
    grep -qE -- "$pattern" "$work/refusal"
}
