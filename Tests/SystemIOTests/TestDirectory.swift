import Foundation

/// A directory of a test's own, removed with its last reference.
final class TestDirectory {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "pmtest-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The absolute path of a name.
  func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  /// Makes a file, or writes into the one that is there.
  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: self(name)))
  }
}
