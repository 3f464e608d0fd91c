# Sourced by the scripts of this folder that run in a mount namespace of their own. Each function makes a tree, of which
# nothing is left when the namespace ends, and names it in `tree`.
# shellcheck shell=bash

# A copy of this machine. The layers are in memory, as an overlay cannot be in a directory that it covers; the upper one
# has what differs.
machine_tree() {
    mkdir -p "$work/memory" && mount -t tmpfs memory "$work/memory" && mkdir "$work/memory"/{upper,work,root} &&
        mount -t overlay overlay -o "lowerdir=/,upperdir=$work/memory/upper,workdir=$work/memory/work" \
            "$work/memory/root" || return 1
    tree=$work/memory/root
    for folder in dev sys; do mount --rbind "/$folder" "$tree/$folder"; done
    finish_tree
}

# debian_tree ARCHIVE: what scripts/make-debian-tree has packed.
debian_tree() {
    tree=$work/debian
    mkdir -p "$tree" && mount -t tmpfs debian "$tree" && tar -xf "$1" -C "$tree" || return 1
    mount --rbind /dev "$tree/dev"
    mount -t sysfs sys "$tree/sys"
    finish_tree
}

finish_tree() {
    mount -t proc proc "$tree/proc"
    for folder in run tmp; do mount -t tmpfs tmpfs "$tree/$folder"; done
    cp "$work/package.deb" "$tree/tmp/"
}

inside() { chroot "$tree" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"; }
