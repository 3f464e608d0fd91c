internal import Glibc
internal import SystemIO

/// The way to a directory, from the root of the file system on. It is trusted if only root and the user of this process
/// can change where it leads: a directory is as safe as those above it, and as the links to it.
enum TrustedDirectory {
  /// The most links on the way; more are a loop. path_resolution(7) has the same limit.
  private static let longestChain = 40

  /// The reason why the directory at the path is not trusted, as the rest of a sentence; `nil` when it is.
  ///
  /// Each place is looked at before the way goes on, so nobody else can exchange a place that was looked at.
  static func problem(with path: String) throws(SystemError) -> String? {
    var place = ""
    var links = 0
    var rest = steps(of: path.hasPrefix("/") ? path : "\(try Files.workingDirectory())/\(path)")
    while true {
      let directory = place.isEmpty ? "/" : place
      if let problem = problem(with: try FileRights(directory), at: directory, isLast: rest.isEmpty) { return problem }
      guard let step = rest.popLast() else { return nil }
      if step == ".." {
        place = String(place[..<(place.lastIndex(of: "/") ?? place.startIndex)])
        continue
      }
      let next = "\(place)/\(step)"
      guard let target = Files.linkTarget(next) else {
        place = next
        continue
      }
      // In a directory such as /tmp everybody can put a link.
      if let problem = problem(withOwner: try FileRights(next).owner) { return "\(next) \(problem)" }
      links += 1
      guard links <= longestChain else { throw SystemError("open \(path)", errorNumber: ELOOP) }
      if target.hasPrefix("/") { place = "" }
      rest += steps(of: target)
    }
  }

  /// The names in a path, the last one first.
  private static func steps(of path: String) -> [String] {
    path.unicodeScalars.split(separator: "/").map { String($0) }.filter { $0 != "." }.reversed()
  }

  private static func problem(with rights: FileRights, at directory: String, isLast: Bool) -> String? {
    guard rights.kind == .directory else { return "\(directory) is no directory" }
    if let problem = problem(withOwner: rights.owner) { return "\(directory) \(problem)" }
    // With the sticky bit, as in /tmp, others may add files, but not exchange those of root and of our user.
    if rights.isWritableByOthers, isLast || !rights.isSticky {
      return "\(directory) may be changed by others than its owner; 'chmod go-w' it"
    }
    return nil
  }

  private static func problem(withOwner owner: UInt32) -> String? {
    if owner == 0 || owner == ProcessIdentity.user { return nil }
    return "belongs to the user \(owner), who could exchange the programs; 'chown root' it, or choose another directory"
  }
}
