internal import CProcessTestSupport
internal import Foundation
internal import Glibc

/// A directory of a test's own, removed with its last reference.
package final class ScratchDirectory: Sendable {
  /// The absolute path of the directory.
  package let path: String

  /// Makes the directory.
  package init() throws {
    // Short, as the paths of sockets are.
    path = FileManager.default.temporaryDirectory.appending(path: "pmtest-\(UUID().uuidString.prefix(13))").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The absolute path of a name.
  package func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  /// Makes a file with its directories, or writes into the one that is there.
  package func write(_ name: String, _ text: String) throws {
    try makeDirectoryAbove(name)
    if let handle = FileHandle(forWritingAtPath: self(name)) {
      try handle.truncate(atOffset: 0)
      try handle.write(contentsOf: Data(text.utf8))
      try handle.close()
    } else {
      try Data(text.utf8).write(to: URL(fileURLWithPath: self(name)))
    }
  }

  /// Writes a file with these permissions, whatever the umask.
  package func write(_ name: String, _ text: String, mode: UInt32) throws {
    try write(name, text)
    try setMode(name, mode)
  }

  /// Writes a program. Another process writes it, because a child that this process starts meanwhile would hold the
  /// file open for writing. The kernel starts no such program (ETXTBSY).
  package func writeProgram(_ name: String, _ text: String, mode: UInt32 = 0o755) async throws {
    let draft = try ScratchDirectory()
    try draft.write("program", text)
    try await RunningProgram.succeed(["install", "-m", String(mode, radix: 8), draft("program"), self(name)])
  }

  /// Makes a file, or changes the one that is there, by another process. A file that this process writes may be closed
  /// later than its test expects: a child that another test starts meanwhile holds it open, too.
  package func touch(_ name: String) async throws {
    try await RunningProgram.succeed(["touch", self(name)])
  }

  /// Sets the permissions of a file, or of the directory itself, which has the name `.`.
  package func setMode(_ name: String, _ mode: UInt32) throws {
    guard unsafe chmod(self(name), mode) == 0 else { throw NothingCame(description: "chmod \(name): errno \(errno)") }
  }

  /// Makes a file elsewhere and moves it over the name.
  package func replace(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: self(name)), options: .atomic)
  }

  /// Makes a directory with those above it.
  package func makeDirectory(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: self(name), withIntermediateDirectories: true)
  }

  private func makeDirectoryAbove(_ name: String) throws {
    let above = URL(fileURLWithPath: self(name)).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: above, withIntermediateDirectories: true)
  }

  /// Runs the body on this thread while one of the directories can be searched but not read, so that inotify(7) refuses
  /// to watch it. Root has only the rights of another user to files meanwhile.
  package func withoutReading<Result>(_ name: String = ".", _ body: () throws -> Result) throws -> Result {
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o311], ofItemAtPath: self(name))
    let user = cprocess_use_files_as(65_534)
    defer {
      _ = cprocess_use_files_as(UInt32(user))
      try? files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: self(name))
    }
    return try body()
  }

  /// Makes a symbolic link with the target as given.
  package func link(_ name: String, to target: String) throws {
    try makeDirectoryAbove(name)
    try FileManager.default.createSymbolicLink(atPath: self(name), withDestinationPath: target)
  }

  /// Gives a file another name.
  package func move(_ name: String, to newName: String) throws {
    try FileManager.default.moveItem(atPath: self(name), toPath: self(newName))
  }

  /// Removes a file.
  package func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: self(name))
  }
}
