import ErrorHandling
import Foundation
import Synchronization

/// A copy that was asked for, and the decisions of the user about it so far.
final class CopyPlan: Sendable {
  private struct Decisions {
    var target: String
    var replaces = false
  }

  private let source: String
  private let decisions: Mutex<Decisions>

  init(from source: String, to target: String) {
    self.source = source
    decisions = Mutex(Decisions(target: target))
  }

  /// Copies, as decided so far.
  ///
  /// - Returns: The file that was written.
  /// - Throws: An error with the ways on from it.
  func copy() throws -> String {
    let (target, replaces) = decisions.withLock { ($0.target, $0.replaces) }
    do {
      try copyFile(to: target, replaces: replaces)
      return target
    } catch {
      throw error.recoverable(options(after: error, target))
    }
  }

  private func copyFile(to target: String, replaces: Bool) throws(CopyError) {
    // The copy gets its name when it is complete.
    let temporary = target + ".careful-copy"
    let files = FileManager.default
    do {
      guard files.fileExists(atPath: source) else { throw CocoaError(.fileReadNoSuchFile) }
      if !replaces, files.fileExists(atPath: target) { throw CocoaError(.fileWriteFileExists) }
      try? files.removeItem(atPath: temporary)
      try files.copyItem(atPath: source, toPath: temporary)
    } catch {
      try? files.removeItem(atPath: temporary)
      throw CopyError(error, source: source, target: target)
    }
    // link(2) fails where a file has the name meanwhile, rename(2) replaces it.
    let isDone = replaces ? rename(temporary, target) == 0 : link(temporary, target) == 0
    let number = errno
    if isDone, replaces { return }
    try? files.removeItem(atPath: temporary)
    if !isDone {
      throw CopyError(POSIXError(POSIXErrorCode(rawValue: number) ?? .EIO), source: source, target: target)
    }
  }

  private func options(after error: CopyError, _ target: String) -> [RecoveryOption] {
    guard error.kind == .targetExists else { return [] }
    return [
      .custom(id: "replace", title: "Replace It", role: .destructive) { [self] in
        decisions.withLock { $0.replaces = true }
      },
      .custom(id: "keep-both", title: "Keep Both") { [self] in
        decisions.withLock { $0.target = Self.freeName(beside: target) }
      },
    ]
  }

  /// The first of `name 2`, `name 3` … that no file has.
  static func freeName(beside target: String) -> String {
    var number = 2
    while FileManager.default.fileExists(atPath: "\(target) \(number)") { number += 1 }
    return "\(target) \(number)"
  }
}
