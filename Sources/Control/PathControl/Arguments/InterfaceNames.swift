internal import SystemIO

/// The interfaces of the machine, for completion.
enum InterfaceNames {
  private static let folder = "/sys/class/net"

  /// The names in order; empty if the folder cannot be read.
  static func all() -> [String] {
    // Each interface is a symbolic link. The folder also contains plain files, such as the list of bonds.
    ((try? Files.entries(of: folder)) ?? []).filter { Files.linkTarget("\(folder)/\($0)") != nil }.sorted()
  }
}
