internal import Glibc
internal import PathModel
internal import SystemIO

/// The directories in which DHCP clients write their leases.
package struct LeaseDirectories: Hashable, Sendable {
  /// systemd-networkd: a file for each interface, named by its index.
  package var networkd = ["/run/systemd/netif/leases"]
  /// ISC dhclient: files with all leases of one or all interfaces.
  package var dhclient = ["/var/lib/dhcp", "/var/lib/dhclient"]
  /// dhcpcd: a packet for each interface, or for each of its networks.
  package var dhcpcd = ["/var/lib/dhcpcd", "/var/lib/dhcpcd5"]

  /// Creates the usual directories.
  package init() {}

  var all: [String] { networkd + dhclient + dhcpcd }
}

/// The leases that DHCP clients have written, read when they change. A file that cannot be read adds no facts about the
/// network.
final class LeaseFiles {
  private let directories: LeaseDirectories
  private let watch: FileChangeWatch?
  private var problems: Set<String> = []
  /// Whether a file or directory could not be read the last time, so that another reading may succeed without a change.
  private(set) var hasFailed = false
  /// The reason why changes are not noticed; `nil` when they are.
  private var watchNote: String?

  /// The leases of systemd-networkd, by interface index.
  private(set) var byIndex: [Int32: [LeaseFacts]] = [:]
  /// The leases of the other clients, by interface name.
  private(set) var byName: [String: [LeaseFacts]] = [:]

  /// The descriptor that a loop watches for reading; `nil` without a watch, for example where the system has none left.
  var descriptor: Int32? { watch?.number }
  /// The failures to read or watch files, in words.
  var notes: [String] { problems.sorted() + [watchNote].compactMap(\.self) }

  /// The largest file that is read, in bytes. The files of dhclient grow with each renewal.
  private static let largest = 1 << 20
  /// The most files of a directory that are read.
  private static let filesPerDirectory = 1_024

  /// Creates the object without reading files.
  init(_ directories: LeaseDirectories, isWatching: Bool) {
    self.directories = directories
    do throws(SystemError) {
      watch = isWatching ? try FileChangeWatch() : nil
    } catch {
      watch = nil
      watchNote = "changes of DHCP leases are noticed only every 30 s: \(error.description)"
    }
  }

  /// Discards the waiting change events. Returns whether there were any.
  func isChanged() -> Bool { watch?.drain() == true }

  /// Reads all leases.
  func update() {
    // Watch first, then read, so that no change in between is missed.
    if let watch { rewatch(watch) }
    problems = []
    hasFailed = false
    (byIndex, byName) = ([:], [:])
    for (name, bytes) in files(in: directories.networkd, where: { Int32($0) != nil }) {
      guard let index = Int32(name), let lease = NetworkdLease.parse(bytes) else { continue }
      byIndex[index, default: []].append(lease)
    }
    for (_, bytes) in files(in: directories.dhclient, where: { $0.hasSuffix(".leases") || $0.hasSuffix(".lease") }) {
      byName.merge(DhclientLease.parse(bytes)) { $0 + $1 }
    }
    for (name, bytes) in files(in: directories.dhcpcd, where: { $0.hasSuffix(".lease") }) {
      guard let lease = DhcpcdLease.parse(bytes) else { continue }
      for interface in DhcpcdLease.interfaces(ofFile: name) { byName[interface, default: []].append(lease) }
    }
  }

  /// Watches the directories. Instead of a missing one it watches the nearest existing directory above.
  private func rewatch(_ watch: FileChangeWatch) {
    _ = watch.drain()
    watch.follow {
      var places = WatchedPlaces(Set(directories.all.filter(Files.exists)))
      for missing in directories.all where !places.paths.contains(missing) { places.insert(comingOf: missing) }
      return places
    }
  }

  /// The files with wanted names in all directories, sorted by name in each.
  private func files(
    in directories: [String], where isWanted: (String) -> Bool
  ) -> [(name: String, contents: [UInt8])] {
    var files: [(name: String, contents: [UInt8])] = []
    for directory in directories {
      do throws(SystemError) {
        for name in try Files.entries(of: directory, limit: Self.filesPerDirectory).filter(isWanted).sorted() {
          if let contents = contents(of: "\(directory)/\(name)") { files.append((name, contents)) }
        }
      } catch {
        // Most machines have one DHCP client, or none.
        if error.errorNumber != ENOENT { note(error) }
      }
    }
    return files
  }

  private func contents(of path: String) -> [UInt8]? {
    do throws(SystemError) {
      let contents = try Files.read(path, limit: Self.largest)
      if contents.count < Self.largest { return contents }
      problems.insert("\(path) has more than \(Self.largest) bytes: what its leases say of cost is not known")
    } catch {
      // A lease may end at any time.
      if error.errorNumber != ENOENT { note(error) }
    }
    return nil
  }

  private func note(_ error: SystemError) {
    hasFailed = true
    problems.insert("\(error.description): what its leases say of cost is not known")
  }
}
