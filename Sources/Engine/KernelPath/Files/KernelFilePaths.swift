/// The locations of the files with facts from the kernel and the system.
package struct KernelFilePaths: Hashable, Sendable {
  /// The directory with an entry for each link.
  package var devices = "/sys/class/net"
  /// The resolver configuration, resolv.conf(5).
  package var resolver = "/etc/resolv.conf"
  /// The servers to which systemd-resolved's stub forwards.
  package var upstreamResolver = "/run/systemd/resolve/resolv.conf"
  /// The directory in which those of DHCP clients are, see ``PathDecisions/LeaseFormat``; empty for the root.
  package var leases = ""

  /// The PPPoE sessions of the network namespace. `/proc/net` is that of the process's first thread.
  package var pppoeSessions = "/proc/thread-self/net/pppoe"

  /// The files that list the datagram sockets of the namespace of the thread that reads them.
  package var datagramSockets = ["/proc/thread-self/net/udp", "/proc/thread-self/net/udp6"]

  /// The directory with a directory of IPv6 settings for each link.
  package var ipv6Settings = "/proc/sys/net/ipv6/conf"

  /// The files with the names of route tables, of the distribution and of the administrator, the strongest one last.
  package var tableNames = [
    "/usr/lib/iproute2/rt_tables", "/usr/share/iproute2/rt_tables", "/etc/iproute2/rt_tables",
  ]

  /// Creates the usual locations.
  package init() {}
}
