internal import Glibc
package import SystemIO

/// The programs in a directory that `pathctl hooks` runs when the path changes.
///
/// A program that gets the rights of root must come from root. Therefore, only executable regular files are run. They
/// must belong to root or to the user of this process, and nobody else may change them. The same holds for the
/// directory and for all above it (``TrustedDirectory``), so nobody else can exchange a file between the check and the
/// start.
package struct HookDirectory: Hashable, Sendable {
  /// The usual directory.
  package static let defaultPath = "/etc/pathmonitor/hooks.d"

  /// The path of the directory.
  package let path: String

  /// A directory, which need not exist.
  package init(_ path: String = Self.defaultPath) {
    self.path = path
  }

  /// The programs to run, in their order, and the reasons why others are not run.
  package struct Listing: Hashable, Sendable {
    /// The paths of the programs, sorted by name as bytes.
    package var programs: [String] = []
    /// The reasons, each a message with advice.
    package var problems: [String] = []

    /// An empty listing.
    package init() {}
  }

  /// Reads the directory. One that does not exist has no programs.
  package func list() -> Listing {
    var listing = Listing()
    do throws(SystemError) {
      guard Files.isThere(path) else { return listing }
      if let problem = try TrustedDirectory.problem(with: path) {
        listing.problems.append("no hook is run: \(problem)")
        return listing
      }
      let names = try Files.entries(of: path).filter { !Self.isLeftAside($0) }
      for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
        add("\(path)/\(name)", to: &listing)
      }
    } catch {
      listing.problems.append("no hook is run: \(error.description)")
    }
    return listing
  }

  private func add(_ program: String, to listing: inout Listing) {
    do throws(SystemError) {
      let rights = try FileRights(program)
      if let problem = Self.problem(with: rights) {
        listing.problems.append("the hook \(program) is not run: it \(problem)")
      } else if rights.isExecutable {
        listing.programs.append(program)
      }
      // A file that nobody may execute is switched off: chmod -x.
    } catch {
      if let problem = Self.problem(withName: program, error) {
        listing.problems.append("the hook \(program) is not run: \(problem)")
      }
    }
  }

  /// The reason why no file is found by a name of the directory; `nil` when the file has gone meanwhile.
  ///
  /// Bytes that are not UTF-8 become U+FFFD, and no file has the resulting name.
  private static func problem(withName name: String, _ error: SystemError) -> String? {
    if name.unicodeScalars.contains("\u{FFFD}") { return "its name is not UTF-8; rename it" }
    return error.errorNumber == ENOENT ? nil : error.description
  }

  /// Whether a file is a copy or a draft, which editors and package managers leave, or hidden.
  package static func isLeftAside(_ name: String) -> Bool {
    name.hasPrefix(".") || name.hasSuffix("~")
      || [".bak", ".disabled", ".swp", ".rpmnew", ".rpmsave", ".rpmorig", ".ucf-dist", ".ucf-new", ".ucf-old"]
        .contains(where: name.hasSuffix)
      || name.contains(".dpkg-")
  }

  /// The reason why a file is not trusted, as the end of a sentence; `nil` when it is.
  package static func problem(with rights: FileRights) -> String? {
    guard rights.kind == .regular else { return "is no regular file; links are not followed" }
    guard rights.owner == 0 || rights.owner == ProcessIdentity.user else {
      return "belongs to the user \(rights.owner); 'chown root' it"
    }
    if rights.isWritableByOthers { return "may be changed by others than its owner; 'chmod go-w' it" }
    if rights.hasSpecialBits { return "is setuid or setgid; 'chmod ug-s' it" }
    return nil
  }
}
