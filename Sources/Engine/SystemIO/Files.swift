internal import CLinux
internal import Glibc

/// Small files and links, read whole. Paths are used as given.
package enum Files {
  /// The contents of a regular file; see ``RegularFile``.
  ///
  /// - Parameter limit: Reading ends after this many bytes; the files that we read are smaller.
  package static func read(
    _ path: String, limit: Int = 65_536, trust: RegularFile.Trust = .anyone
  ) throws(SystemError) -> [UInt8] {
    try RegularFile(path, trust).contents(limit: limit)
  }

  /// Writes the first bytes of a file in place, without fsync(2). The file is made if there is none, and everybody may
  /// read it then.
  package static func overwrite(_ path: String, with contents: [UInt8]) throws(SystemError) {
    let file = OwnedDescriptor(owning: try systemCall("open \(path)") { unsafe clinux_open_in_place(path, 0o644) })
    try Output.write(contents, to: file.number)
  }

  /// Waits until a file is on the disk.
  package static func synchronize(_ path: String) throws(SystemError) {
    let file = OwnedDescriptor(owning: try systemCall("open \(path)") { unsafe clinux_open_for_reading(path) })
    try systemCall("write \(path) to the disk") { fsync(file.number) }
  }

  /// Gives a file another name in its file system. A file that has the name is replaced.
  package static func move(_ path: String, to name: String) throws(SystemError) {
    try systemCall("rename \(path) to \(name)") { unsafe rename(path, name) }
  }

  /// The size of a file in bytes; `nil` when there is none.
  package static func size(of path: String) -> Int64? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int64(status.st_size) : nil
  }

  /// Makes a directory that everybody may read. An existing directory is not changed.
  package static func makeDirectory(_ path: String) throws(SystemError) {
    do throws(SystemError) {
      try systemCall("make the directory \(path)") { unsafe mkdir(path, 0o755) }
    } catch {
      guard error.errorNumber == EEXIST else { throw error }
    }
  }

  /// Removes a file, if it exists.
  package static func remove(_ path: String) {
    _ = unsafe unlink(path)
  }

  /// The identity of a file, which no other file has at the same time; `nil` when the path does not exist.
  package struct Identity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// The identity of the file at the path; a symbolic link is not followed.
    package init?(_ path: String) {
      var status = stat()
      guard unsafe lstat(path, &status) == 0 else { return nil }
      device = UInt64(status.st_dev)
      number = UInt64(status.st_ino)
    }
  }

  /// Whether a socket is at the path; a symbolic link is not followed.
  package static func isSocket(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }

  /// Whether a regular file is at the path; a symbolic link is not followed.
  package static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether something that is no regular file is at the path, or at the end of the link there.
  package static func isIrregular(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }

  /// The device and inode numbers of an open file; `nil` when it is not open.
  package static func deviceAndNumber(of descriptor: Int32) -> (device: UInt64, number: UInt64)? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    return (UInt64(status.st_dev), UInt64(status.st_ino))
  }

  /// The lock of a file, held as long as this value lives.
  package struct FileLock: ~Copyable {
    private let descriptor: OwnedDescriptor

    fileprivate init(_ descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }

    /// Unlocks the file: closing alone leaves the lock to a child that has the descriptor until its exec(3).
    deinit { _ = clinux_unlock(descriptor.number) }
  }

  /// Takes the lock of a file that only its owner can open. The file is made if there is none.
  ///
  /// - Returns: The lock; `nil` while another one holds it.
  package static func lockOwnFile(_ path: String) throws(SystemError) -> FileLock? {
    let file = OwnedDescriptor(owning: try systemCall("open \(path)") { unsafe clinux_open_in_place(path, 0o600) })
    do throws(SystemError) {
      try systemCall("lock \(path)") { clinux_lock_for_writing(file.number) }
    } catch  where error.errorNumber == EAGAIN || error.errorNumber == EACCES {
      return nil
    }
    return FileLock(file)
  }

  /// A lock of a directory, held as long as this value lives.
  package struct DirectoryLock: ~Copyable {
    private let descriptor: OwnedDescriptor
    /// Whether the lock is held. If not, another process held it until the deadline, as any process can that may open
    /// the directory.
    package let isHeld: Bool

    fileprivate init(_ descriptor: consuming OwnedDescriptor, isHeld: Bool) {
      self.descriptor = descriptor
      self.isHeld = isHeld
    }

    /// Unlocks the directory: closing alone leaves the lock to a child that has the descriptor until its exec(3).
    deinit { if isHeld { flock(descriptor.number, LOCK_UN) } }
  }

  /// Waits until no other process holds the lock of the directory, and takes it; gives up at the deadline.
  package static func lock(
    directory: String, until deadline: MonotonicInstant
  ) throws(SystemError) -> DirectoryLock {
    let opened = OwnedDescriptor(
      owning: try systemCall("open \(directory)") { unsafe clinux_open_directory(directory) })
    while true {
      do throws(SystemError) {
        try systemCall("lock \(directory)") { flock(opened.number, LOCK_EX | LOCK_NB) }
        return DirectoryLock(opened, isHeld: true)
      } catch {
        guard error.errorNumber == EWOULDBLOCK else { throw error }
        if MonotonicInstant.now >= deadline { return DirectoryLock(opened, isHeld: false) }
        SystemThread.pause(for: .milliseconds(5))
      }
    }
  }

  /// The target of a symbolic link; `nil` when the path is no link or cannot be read.
  package static func linkTarget(_ path: String) -> String? {
    var target = [CChar](repeating: 0, count: 4_096)
    let count = unsafe readlink(path, &target, target.count)
    return count > 0 ? String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }

  /// The path of the working directory.
  package static func workingDirectory() throws(SystemError) -> String {
    var path = [CChar](repeating: 0, count: 4_096)
    guard unsafe getcwd(&path, path.count) != nil else {
      throw SystemError("find the working directory", errorNumber: errno)
    }
    return String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether the path exists; `false` for a link whose target does not.
  package static func exists(_ path: String) -> Bool {
    unsafe access(path, F_OK) == 0
  }

  /// Whether the program may read the file or directory; `false` for a path that does not exist.
  package static func isReadable(_ path: String) -> Bool {
    unsafe faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0
  }

  /// Whether the path exists; `true` also for a link whose target does not.
  package static func isThere(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// The names in a directory, in no order, without `.` and `..`.
  ///
  /// - Parameter limit: The largest number of names. Those beyond are left out, and the caller says so.
  package static func entries(of path: String, limit: Int = .max) throws(SystemError) -> [String] {
    guard let directory = unsafe opendir(path) else { throw SystemError("open \(path)", errorNumber: errno) }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while names.count < limit, let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// The directory part of an absolute path; `/` for entries of the root.
  package static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  /// The nearest directory above an absolute path that exists now.
  package static func existingDirectory(above path: String) -> String {
    var directory = directory(of: path)
    while directory != "/", !exists(directory) { directory = self.directory(of: directory) }
    return directory
  }
}
