/// Where the kernel and the system keep what is read from files.
package struct KernelFilePaths: Hashable, Sendable {
  /// The directory with an entry for each link.
  package var devices = "/sys/class/net"
  /// The resolver configuration, resolv.conf(5).
  package var resolver = "/etc/resolv.conf"
  /// What systemd-resolved's stub forwards to.
  package var upstreamResolver = "/run/systemd/resolve/resolv.conf"
  /// Where DHCP clients write their leases down.
  package var leases = LeaseDirectories()

  /// The usual places.
  package init() {}
}
