internal import CLinux
internal import Glibc

/// A regular file, opened for reading without waiting.
///
/// Other programs decide about the files at most of the paths we read. A FIFO makes a reader wait for a writer, a
/// terminal for its user, and a lease for the process that holds it. A service that waits serves nobody, so only
/// regular files are read. The null device is read as an empty file, because administrators mask a file by a link to
/// it.
package struct RegularFile: ~Copyable {
  /// The owners whose files are read.
  package enum Trust: Hashable, Sendable {
    /// Every user who can put the file there. Symbolic links are followed.
    case anyone
    /// Every user who may put files into the directory, if only the owner may write to the file. A symbolic link is not
    /// followed.
    case directory
    /// As ``directory``, but only root and the user of this process.
    case ownFiles
  }

  private let path: String
  private let descriptor: OwnedDescriptor

  /// Opens the file at the path.
  ///
  /// - Throws: ``SystemError``; EISDIR for a directory; EINVAL for any other file that is not regular; ELOOP for a link
  ///   that is not followed; EPERM for a file that is not trusted; EAGAIN while a process holds a lease on the file.
  package init(_ path: String, _ trust: Trust = .anyone) throws(SystemError) {
    let opened = OwnedDescriptor(owning: try Self.open(path, trust))
    var status = stat()
    try systemCall("read \(path)") { unsafe fstat(opened.number, &status) }
    try Self.check(status, trust, path)
    self.path = path
    descriptor = opened
  }

  private static func open(_ path: String, _ trust: Trust) throws(SystemError) -> Int32 {
    do throws(SystemError) {
      return try systemCall("open \(path)") { unsafe clinux_open_without_waiting(path, trust == .anyone ? 1 : 0) }
    } catch {
      // open(2) reports nothing more specific for a socket.
      throw error.errorNumber == ENXIO ? notRegular(path) : error
    }
  }

  private static func check(_ status: stat, _ trust: Trust, _ path: String) throws(SystemError) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw SystemError("read \(path)", errorNumber: EISDIR)
    case S_IFCHR where status.st_rdev == nullDevice: break
    default: throw notRegular(path)
    }
    if trust == .anyone { return }
    guard trust == .directory || status.st_uid == 0 || status.st_uid == ProcessIdentity.user else {
      throw SystemError("trust \(path)", errorNumber: EPERM, because: "it belongs to uid \(status.st_uid)")
    }
    guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
      throw SystemError("trust \(path)", errorNumber: EPERM, because: "others may write to it")
    }
  }

  /// The number of `/dev/null`: major 1, minor 3 (Documentation/admin-guide/devices.txt).
  private static let nullDevice: dev_t = 0x103

  private static func notRegular(_ path: String) -> SystemError {
    SystemError("read \(path)", errorNumber: EINVAL, because: "it is not a regular file")
  }

  /// Skips all bytes but the last ones, of which there are `count` unless the file changes meanwhile. Returns whether
  /// there were more.
  package func skipAllButLast(_ count: Int) throws(SystemError) -> Bool {
    var status = stat()
    try systemCall("read \(path)") { unsafe fstat(descriptor.number, &status) }
    guard status.st_size > count else { return false }
    let start = status.st_size - off_t(count)
    try systemCall("read \(path)") { Int32(clamping: lseek(descriptor.number, start, SEEK_SET)) }
    return true
  }

  /// The contents from the beginning, or from where ``skipAllButLast(_:)`` has left off. Reading ends soon after
  /// `limit` bytes.
  package func contents(limit: Int) throws(SystemError) -> [UInt8] {
    var contents: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while contents.count < limit {
      let count = try systemCall("read \(path)") { unsafe Glibc.read(descriptor.number, &chunk, chunk.count) }
      if count == 0 { break }
      contents += chunk[..<count]
    }
    return contents
  }
}
