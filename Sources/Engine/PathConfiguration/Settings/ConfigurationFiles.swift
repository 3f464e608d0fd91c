internal import Glibc
package import PathDecisions
internal import PathModel
package import SystemIO

/// The places of the administrator's configuration, and their reading.
package enum ConfigurationFiles {
  /// The file that is read first unless another is named.
  package static let defaultPath = "\(ConfigurationSelection.roots[0])/\(ConfigurationSelection.mainName)"

  /// The reason why a file is not used.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    fileprivate let fault: String
    fileprivate var advice: String
    /// The other mistakes of the same file.
    fileprivate var furtherFaults: [String] = []

    /// The file, the line, the mistake and the remedy, in one sentence or two.
    package var description: String { "\(fault). \(advice)" }
    /// Every mistake of the file in a sentence, the last with the remedy.
    package var sentences: [String] {
      let faults = [fault] + furtherFaults
      return faults.dropLast().map { "\($0)." } + faults.suffix(1).map { "\($0). \(advice)" }
    }
  }

  /// The result of reading a file.
  package enum ReadOutcome: Hashable, Sendable {
    /// The file is used.
    case used
    /// The file has no settings. Files of the same name in other directories are not used either.
    case empty
    /// Another file of the same name is used instead.
    case masked(by: String)
    /// The file has a mistake, and nothing of it is used.
    case skipped(Problem)
    /// The file has a mistake, and is used as it was when it was read before.
    case kept(Problem)
  }

  /// The result of reading all files.
  package struct Reading: Sendable {
    /// The combined configuration of the files.
    package fileprivate(set) var configuration = MergedConfiguration()
    /// The directories that cannot be listed, all files in the order of their use, then the unused ones.
    package fileprivate(set) var files: [(path: String, outcome: ReadOutcome)] = []

    /// The faults of files.
    package var problems: [Problem] {
      files.compactMap {
        switch $0.outcome {
        case .skipped(let problem), .kept(let problem): problem
        case .used, .empty, .masked: nil
        }
      }
    }

    /// The rules of all files, with the fault of the first file or directory that is not used.
    package var rules: InterfaceRules {
      var rules = configuration.rules
      for case (_, .skipped(let problem)) in files.reversed() { rules.unusedFile = problem.fault }
      return rules
    }

    /// Creates a reading without files.
    package init() {}
  }

  /// The size from which on a file is not read, in bytes.
  private static let limit = 1 << 20
  /// The largest total size of all files, in bytes. The service can read them within a part of a second, during which
  /// it answers nobody.
  private static let totalLimit = 4 << 20

  /// Reads all configuration files. A file with a mistake is left out as a whole, or is used as it was before.
  ///
  /// - Parameters:
  ///   - path: The file that is read first, with those in the directory of its name and `.d`; `nil` for the usual ones,
  ///     which need not exist.
  ///   - roots: The directories of the usual files, the highest rank first.
  ///   - previous: The earlier reading, for files that have a mistake now.
  /// - Throws: ``Problem`` when the named file cannot be read or has a mistake, and was not read before.
  package static func read(
    _ path: String?, roots: [String] = ConfigurationSelection.roots, insteadOf previous: Reading? = nil
  ) throws(Problem) -> Reading {
    var before: [String: ConfigurationFile] = [:]
    for file in previous?.configuration.files ?? [] { before[file.path] = file }
    var reading = Reading()
    let selection = ConfigurationSelection(ConfigurationSelection.mainName, reading: path, roots: roots) { directory in
      do throws(SystemError) {
        return try Files.entries(of: directory)
      } catch {
        if error.errorNumber == ENOENT { return [] }
        let advice = "No file in it is found; mend that, then reload."
        reading.files.append((directory, .skipped(Problem(fault: error.description, advice: advice))))
        let known = before.keys.filter { Files.directory(of: $0) == directory }
        return known.map { String(decoding: $0.utf8.dropFirst(directory.utf8.count + 1), as: UTF8.self) }
      }
    }
    var rest = totalLimit
    for file in selection.paths {
      do throws(Problem) {
        let outcome = try read(file, isNamed: file == path, &rest, into: &reading.configuration)
        reading.files.append((file, outcome))
      } catch {
        if let old = before[file], (try? reading.configuration.add(old)) != nil {
          var problem = error
          problem.advice = "The file is used as it was before; correct it, then reload."
          reading.files.append((file, .kept(problem)))
        } else if file == path {
          throw error
        } else {
          reading.files.append((file, .skipped(error)))
        }
      }
    }
    reading.files += selection.masked.map { ($0.path, .masked(by: $0.by)) }
    return reading
  }

  /// The places to watch for every change of the files that ``read(_:roots:insteadOf:)`` reads with the same arguments.
  package static func places(_ path: String?, roots: [String]) -> WatchedPlaces {
    var places = WatchedPlaces()
    let mains = ConfigurationSelection.mains(ConfigurationSelection.mainName, reading: path, roots: roots)
    for main in mains { places.insert(main) }
    for directory in mains.map({ "\($0).d" }) {
      places.insert(directory)
      // The directory of a link does not report a change of its target.
      for name in (try? Files.entries(of: directory)) ?? [] where Files.linkTarget("\(directory)/\(name)") != nil {
        places.insert("\(directory)/\(name)")
      }
    }
    return places
  }

  private static func read(
    _ path: String, isNamed: Bool, _ rest: inout Int, into configuration: inout MergedConfiguration
  ) throws(Problem) -> ReadOutcome {
    let text = try text(of: path, isNamed: isNamed, &rest)
    do throws(ConfigurationProblem) {
      let file = try ConfigurationFile(parsing: text, path: path)
      try configuration.add(file)
      return file.settings.isEmpty ? .empty : .used
    } catch {
      let advice =
        isNamed ? "Correct it, or name another file." : "The file is not used; correct the line, then reload."
      throw Problem(
        fault: "\(path), \(error.description)", advice: advice,
        furtherFaults: error.further.map { "\(path), \($0.description)" })
    }
  }

  private static func text(of path: String, isNamed: Bool, _ rest: inout Int) throws(Problem) -> String {
    let contents: [UInt8]
    do throws(SystemError) {
      contents = try Files.read(path, limit: limit)
    } catch {
      // Bytes that are not UTF-8 become U+FFFD, and no file has the resulting name.
      if error.errorNumber == ENOENT, path.unicodeScalars.contains("\u{FFFD}") {
        throw Problem(
          fault: "the name of \(path) is not UTF-8", advice: "The file is not used; rename it, then reload.")
      }
      let advice =
        isNamed ? "Name a file that can be read, or none." : "The file is not used; mend that, then reload."
      throw Problem(fault: error.description, advice: advice)
    }
    guard contents.count < limit else {
      throw Problem(
        fault: "\(path) has more than \(limit) bytes", advice: "The file is not used; shorten it, then reload.")
    }
    guard contents.count <= rest else {
      throw Problem(
        fault: "\(path) and the files before it have more than \(totalLimit) bytes together",
        advice: "The file is not used; shorten them, then reload.")
    }
    rest -= contents.count
    return String(decoding: contents, as: UTF8.self)
  }

  /// Reads one file alone and reports its mistakes.
  ///
  /// - Throws: ``Problem`` when it cannot be read or has a mistake.
  package static func check(_ path: String) throws(Problem) {
    var configuration = MergedConfiguration()
    var rest = totalLimit
    _ = try read(path, isNamed: false, &rest, into: &configuration)
  }

  /// The file, the reason and the remedy in a sentence or two if a user cannot read the file; `nil` if the user can, or
  /// if this process cannot find out, because it does not run as root.
  ///
  /// - Parameters:
  ///   - user: The number of the user.
  ///   - groups: The numbers of the user's groups.
  package static func obstacle(toReading path: String, user: UInt32, groups: [UInt32]) -> String? {
    guard let error = OtherUser.failure(toOpen: path, user: user, groups: groups) else { return nil }
    return """
      \(path) cannot be read by the service, which runs as a user of its own: \(error.reason). \
      Let everybody read it: chmod a+r for the file, a+rx for the directories above it.
      """
  }

  /// Whether the path is in one of the usual directories, whose files are for the service.
  package static func isUsual(_ path: String) -> Bool {
    ConfigurationSelection.roots.contains { path.hasPrefix("\($0)/") }
  }
}

extension ConfigurationSelection {
  /// Chooses among the files of the machine: a main file, and those in the directory with its name and `.d`.
  ///
  /// - Parameters:
  ///   - name: The name of the main file.
  ///   - path: The main file that is read instead, alone, because it stands for the configuration of the machine; `nil`
  ///     for the usual ones, which need not exist.
  ///   - roots: The directories of the usual files, the highest rank first.
  ///   - names: The names of the files in a directory.
  package init(_ name: String, reading path: String?, roots: [String], names: (String) -> [String]) {
    let mains = Self.mains(name, reading: path, roots: roots)
    self.init(
      mains: path == nil ? mains.filter(Files.isThere) : mains, directories: mains.map { ("\($0).d", names("\($0).d")) }
    )
  }

  /// The places of a main file, whether or not it is there.
  static func mains(_ name: String, reading path: String?, roots: [String]) -> [String] {
    path.map { [$0] } ?? roots.map { "\($0)/\(name)" }
  }
}
