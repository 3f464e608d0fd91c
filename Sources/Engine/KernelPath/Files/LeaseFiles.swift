internal import Glibc
internal import PathDecisions
internal import PathModel
internal import SystemIO

/// The leases that DHCP clients have written, read when they change. A file that exists and cannot be read is a fact of
/// its own.
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
  var byName: [ExactText: [LeaseFacts]] { leases.byName }
  /// The files that exist and cannot be read.
  private(set) var unread = UnreadLeases()

  /// The descriptor that a loop watches for reading; `nil` without a watch, for example where the system has none left.
  var descriptor: Int32? { reports.descriptor }
  /// Whether changes are wanted that are not all reported, so that another reading may bring news.
  var lacksReports: Bool { reports.note != nil }
  /// The failures to read or watch files, in words.
  var notes: [String] { problems.sorted() + [reports.note].compactMap(\.self) }

  /// The most bytes that are read of a file, from its end. The files of dhclient grow with each renewal, and the latest
  /// ones come last. The lease of an interface that renews seldom may stand before them.
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
    directories = formats.flatMap { $0.directories + [$0.furtherDirectory].compactMap(\.self) }.map { root + $0 }
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
    unread = UnreadLeases()
    for format in formats {
      for directory in format.directories { read(format, in: root + directory) }
    }
  }

  /// The directories. Instead of a missing one, the nearest existing directory above is watched. A directory that may
  /// not be read cannot be watched either, and ``hasFailed`` has it read again.
  private func watchedPlaces() -> WatchedPlaces {
    var places = WatchedPlaces(directories.filter(Files.isReadable))
    for missing in directories where !places.paths.contains(missing) { places.insert(comingOf: missing) }
    return places
  }

  /// Reads the files of a format in a directory, in the order of their names.
  private func read(_ format: LeaseFormat, in directory: String) {
    do throws(SystemError) {
      let names = try Files.entries(of: directory, limit: Self.filesPerDirectory + 1)
      for name in names.prefix(Self.filesPerDirectory).filter(format.isLeaseFile).sorted() {
        read(format, in: directory, name)
      }
      if names.count > Self.filesPerDirectory {
        note("\(directory) has more than \(Self.filesPerDirectory) files, and the others are not read", .any)
      }
    } catch {
      // Most machines have one DHCP client, or none. A directory that cannot be listed may have one for any
      // interface.
      if error.errorNumber != ENOENT { note(error, .any) }
    }
  }

  private func read(_ format: LeaseFormat, in directory: String, _ name: String) {
    let path = "\(directory)/\(name)"
    do throws(SystemError) {
      guard room > 0 else { return note("there are more than \(Self.most) bytes of lease files", format.subject(name)) }
      let file = try RegularFile(path)
      if try file.skipAllButLast(Self.largest) {
        unread.add(format.subject(name), because: "only the last \(Self.largest) bytes of \(path) are read")
      }
      var contents = try file.contents(limit: Self.largest)
      // The lease is known without it, too.
      if let further = format.furtherDirectory, let file = try? RegularFile("\(root)\(further)/\(name)") {
        contents += [LeaseFormat.separator] + ((try? file.contents(limit: Self.largest)) ?? [])
      }
      room -= contents.count
      leases.add(format.parse(contents, name))
    } catch {
      // A lease may end at any time.
      if error.errorNumber != ENOENT { note(error, format.subject(name)) }
    }
  }

  private func note(_ error: SystemError, _ subject: LeaseFileSubject) {
    hasFailed = true
    note(error.description, subject)
  }

  private func note(_ problem: String, _ subject: LeaseFileSubject) {
    unread.add(subject, because: problem)
    problems.insert("\(problem): what its leases say of cost is not known")
  }
}
