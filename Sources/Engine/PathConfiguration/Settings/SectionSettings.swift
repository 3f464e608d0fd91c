internal import Glibc
internal import SystemIO

/// The administrator's files for a program, such as history.conf and history.conf.d, by the rules of all configuration
/// files.
package struct SectionSettings<Configuration: SectionConfiguration>: Sendable {
  /// The settings.
  package private(set) var configuration = Configuration()
  /// The files that are used, in their order.
  package private(set) var files: [String] = []
  /// The faults of files, in a sentence or two each. A file with a fault is not used.
  package private(set) var problems: [String] = []

  /// The size from which on a file is not read, in bytes.
  private static var limit: Int { 1 << 16 }
  private static var advice: String { "correct it, then restart \(Configuration.unit)." }

  /// Reads the files.
  ///
  /// - Parameters:
  ///   - path: The file that is read instead of the usual ones, with those in the directory of its name and `.d`; `nil`
  ///     for the usual ones, which need not exist.
  ///   - roots: The directories of the usual files, the highest rank first.
  package init(reading path: String?, roots: [String] = ConfigurationSelection.roots) {
    let selection = ConfigurationSelection(Configuration.mainName, reading: path, roots: roots) {
      names(in: $0)
    }
    for file in selection.paths { read(file) }
  }

  private mutating func names(in directory: String) -> [String] {
    do throws(SystemError) {
      return try Files.entries(of: directory)
    } catch {
      if error.errorNumber != ENOENT { problems.append("\(error.description). No file in it is used; \(Self.advice)") }
      return []
    }
  }

  private mutating func read(_ file: String) {
    let advice = "The file is not used; \(Self.advice)"
    do throws(SystemError) {
      let contents = try Files.read(file, limit: Self.limit)
      guard contents.count < Self.limit else {
        problems.append("\(file) has more than \(Self.limit) bytes. \(advice)")
        return
      }
      do throws(ConfigurationProblem) {
        try configuration.apply(String(decoding: contents, as: UTF8.self))
        files.append(file)
      } catch {
        let faults = ([error] + error.further).map { "\(file), \($0.description)" }
        problems += faults.dropLast().map { "\($0)." } + faults.suffix(1).map { "\($0). \(advice)" }
      }
    } catch {
      problems.append("\(error.description). \(advice)")
    }
  }
}
