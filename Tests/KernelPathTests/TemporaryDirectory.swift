import Foundation

/// A directory of a test's own, removed with its last reference.
final class TemporaryDirectory {
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

  /// Makes a file with its directories, or writes into the one that is there.
  func write(_ name: String, _ text: String) throws {
    try makeDirectory((name as NSString).deletingLastPathComponent)
    if let handle = FileHandle(forWritingAtPath: self(name)) {
      try handle.truncate(atOffset: 0)
      try handle.write(contentsOf: Data(text.utf8))
      try handle.close()
    } else {
      try Data(text.utf8).write(to: URL(fileURLWithPath: self(name)))
    }
  }

  /// Makes a file elsewhere and moves it over the name.
  func replace(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: self(name)), options: .atomic)
  }

  func makeDirectory(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: self(name), withIntermediateDirectories: true)
  }

  /// Makes a symbolic link with the target as given.
  func link(_ name: String, to target: String) throws {
    try makeDirectory((name as NSString).deletingLastPathComponent)
    try FileManager.default.createSymbolicLink(atPath: self(name), withDestinationPath: target)
  }

  func move(_ name: String, to newName: String) throws {
    try FileManager.default.moveItem(atPath: self(name), toPath: self(newName))
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: self(name))
  }
}
