internal import Glibc
internal import PathDecisions
internal import SystemIO

/// The leases that DHCP clients have written, read when they change. A file that cannot be read adds no facts about the
/// network.
final class LeaseFiles {
  private let root: String
  private let formats: [LeaseFormat]
  private let directories: [String]
  private let reports: ChangeReports
  private var problems: Set<String> = []
  /// The bytes that may still be read in this reading.
  private var room = 0
  /// Whether a file or directory could not be read the last time, so that another reading may succeed without a change.
  private(set) var hasFailed = false

  private var leases = RecordedLeases()
  /// The leases of clients that name an interface by its index.
  var byIndex: [Int32: [LeaseFacts]] { leases.byIndex }
  /// The leases of clients that name an interface by its name.
  var byName: [String: [LeaseFacts]] { leases.byName }

  /// The descriptor that a loop watches for reading; `nil` without a watch, for example where the system has none left.
  var descriptor: Int32? { reports.descriptor }
  /// Whether changes are wanted that are not all reported, so that another reading may bring news.
  var lacksReports: Bool { reports.note != nil }
  /// The failures to read or watch files, in words.
  var notes: [String] { problems.sorted() + [reports.note].compactMap(\.self) }

  /// The most bytes that are read of a file, from its end. The files of dhclient grow with each renewal, and the latest
  /// ones come last.
  private static let largest = 65_536
  /// The most bytes that are read of all files, because clients wait meanwhile.
  private static let most = 1 << 20
  /// The most files of a directory that are read.
  private static let filesPerDirectory = 1_024

  /// Creates the object without reading files.
  ///
  /// - Parameters:
  ///   - root: The directory in which those of the formats are, without a slash at its end; empty for the root.
  ///   - formats: The formats, of which no two share a directory.
  ///   - isWatching: Whether changes are noticed.
  init(_ root: String, formats: [LeaseFormat] = LeaseFormat.all, isWatching: Bool) {
    self.root = root
    self.formats = formats
    directories = formats.flatMap(\.directories).map { root + $0 }
    reports = ChangeReports(of: "DHCP leases", isWanted: isWatching)
  }

  /// Discards the waiting change events. Returns whether there were any, or may have been any.
  func mayHaveChanged() -> Bool { reports.mayHaveChanged() }

  /// Reads all leases.
  func update() {
    // Watch first, then read, so that no change in between is missed.
    reports.follow(watchedPlaces)
    problems = []
    hasFailed = false
    room = Self.most
    leases = RecordedLeases()
    for format in formats {
      for (name, bytes) in files(in: format.directories.map { root + $0 }, where: format.isLeaseFile) {
        leases.add(format.parse(bytes, name))
      }
    }
  }

  /// The directories. Instead of a missing one, the nearest existing directory above is watched. A directory that may
  /// not be read cannot be watched either, and ``hasFailed`` has it read again.
  private func watchedPlaces() -> WatchedPlaces {
    var places = WatchedPlaces(directories.filter(Files.isReadable))
    for missing in directories where !places.paths.contains(missing) { places.insert(comingOf: missing) }
    return places
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
      guard room > 0 else {
        problems.insert(
          "there are more than \(Self.most) bytes of lease files: what some leases say of cost is not known")
        return nil
      }
      let file = try RegularFile(path)
      try file.skipAllButLast(Self.largest)
      let contents = try file.contents(limit: Self.largest)
      room -= contents.count
      return contents
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
