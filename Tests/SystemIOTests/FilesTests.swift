import Foundation
import ProcessTestSupport
import SystemIO
import Testing

@Suite("Files")
struct FilesTests {
  private let directory: ScratchDirectory

  init() throws {
    directory = try ScratchDirectory()
  }

  @Test(arguments: [0, 1, 4_095, 4_096, 4_097, 20_000])
  func `a file is read whole`(size: Int) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
    try Data(bytes).write(to: URL(fileURLWithPath: directory("file")))
    #expect(try Files.read(directory("file")) == bytes)
  }

  @Test func `a lock of a file ends with its value, although a child still has a copy of the descriptor`() throws {
    let path = directory("lock")
    var copy: Int32 = -1
    do {
      guard let lock = try Files.lockOwnFile(path) else {
        Issue.record("another process has the lock of a new file")
        return
      }
      #expect(try !canBeLocked(path))
      copy = try copyOfDescriptor(for: path)
      _ = lock
    }
    #expect(copy >= 0)
    #expect(try canBeLocked(path))
    close(copy)
  }

  /// A copy of the descriptor that this process has for the file, as a child of another test has one until it executes
  /// its program.
  private func copyOfDescriptor(for path: String) throws -> Int32 {
    let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
    return dup(try #require(descriptors.first { Self.target(of: $0) == path }))
  }

  private func canBeLocked(_ path: String) throws -> Bool {
    if try Files.lockOwnFile(path) != nil { true } else { false }
  }

  private static func target(of descriptor: Int32) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
  }

  @Test func `reading ends soon after the limit`() throws {
    try Data(repeating: 7, count: 100_000).write(to: URL(fileURLWithPath: directory("file")))
    #expect((5_000..<10_000).contains(try Files.read(directory("file"), limit: 5_000).count))
  }

  @Test func `files of the kernel, whose size is reported as 0, are read too`() throws {
    #expect(try !Files.read("/proc/self/stat").isEmpty)
  }

  @Test func `the error of a file that cannot be read has the call and the reason`() throws {
    let missing = try #require(throws: SystemError.self) { try Files.read(directory("missing")) }
    #expect(missing.description == "cannot open \(directory("missing")): No such file or directory")
    let isDirectory = try #require(throws: SystemError.self) { try Files.read(directory.path) }
    #expect(isDirectory.errorNumber == EISDIR)
    #expect(isDirectory.attempt == "read \(directory.path)")
  }

  // MARK: Files of others

  @Test func `nothing but a regular file is read, without waiting for a writer`() throws {
    #expect(unsafe mkfifo(directory("fifo"), 0o666) == 0)
    _ = try UnixSocket.listen(at: directory("socket"), mode: 0o666).number
    try directory.link("link", to: "fifo")
    for path in [directory("fifo"), directory("socket"), directory("link"), "/dev/zero"] {
      let error = #expect(throws: SystemError.self) { try Files.read(path) }
      #expect(error?.description == "cannot read \(path): it is not a regular file")
    }
    #expect(throws: SystemError("open \(directory("fifo"))", errorNumber: ENOTDIR)) {
      _ = try Files.lock(directory: directory("fifo"), until: .now).isHeld
    }
  }

  @Test func `the null device is an empty file, as it is used to mask a file`() throws {
    try directory.link("masked", to: "/dev/null")
    #expect(try Files.read(directory("masked")).isEmpty)
  }

  @Test func `a process that holds a lease on a file is not waited for`() throws {
    try directory.write("file", "text")
    let lease = try #require(FileLease(on: directory("file")))
    #expect(throws: SystemError("open \(directory("file"))", errorNumber: EAGAIN)) { try Files.read(directory("file")) }
    lease.end()
    #expect(try Files.read(directory("file")) == Array("text".utf8))
  }

  @Test func `own files are trusted, but no link to one, and none that others may write`() throws {
    try directory.write("file", "text")
    #expect(unsafe chmod(directory("file"), 0o644) == 0)
    try directory.link("link", to: "file")
    #expect(try Files.read(directory("file"), trust: .ownFiles) == Array("text".utf8))
    #expect(throws: SystemError("open \(directory("link"))", errorNumber: ELOOP)) {
      try Files.read(directory("link"), trust: .ownFiles)
    }
    for mode in [0o664, 0o646] as [mode_t] {
      #expect(unsafe chmod(directory("file"), mode) == 0)
      let error = #expect(throws: SystemError.self) { try Files.read(directory("file"), trust: .ownFiles) }
      #expect(error?.description == "cannot trust \(directory("file")): others may write to it")
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
  func `a file of another user is not trusted`() throws {
    try directory.write("file", "text")
    #expect(unsafe chown(directory("file"), 65_534, 65_534) == 0)
    let error = #expect(throws: SystemError.self) { try Files.read(directory("file"), trust: .ownFiles) }
    #expect(error?.description == "cannot trust \(directory("file")): it belongs to uid 65534")
    #expect(try Files.read(directory("file")) == Array("text".utf8))
    #expect(try Files.read(directory("file"), trust: .directory) == Array("text".utf8))
  }

  @Test func `a link's target is returned as it was written, and a link that leads nowhere does not exist`() throws {
    try directory.link("dangling", to: "../nowhere/é")
    #expect(Files.linkTarget(directory("dangling")) == "../nowhere/é")
    #expect(Files.linkTarget(directory.path) == nil)
    #expect(Files.linkTarget(directory("missing")) == nil)
    try directory.link("link", to: directory.path)
    #expect(!Files.exists(directory("dangling")))
    #expect(Files.exists(directory("link")))
    #expect(Files.exists(directory.path))
  }

  @Test(arguments: [("/etc/resolv.conf", "/etc"), ("/resolv.conf", "/"), ("/", "/"), ("name", "/"), ("/a/b/", "/a/b")])
  func `the directory of a path`(path: String, expected: String) {
    #expect(Files.directory(of: path) == expected)
  }

  @Test func `removing a missing file is no failure, and a link is removed instead of its target`() throws {
    Files.remove(directory("missing"))
    try directory.write("file", "")
    try directory.link("link", to: "file")
    Files.remove(directory("link"))
    #expect(try names() == ["file"])
    Files.remove(directory("file"))
    #expect(try names().isEmpty)
  }

  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: directory.path) }

  // MARK: Locks

  @Test func `a lock is waited for until the deadline, and free with its value, whatever copies a child still has`()
    throws
  {
    var copy: Int32 = -1
    do {
      let lock = try Files.lock(directory: directory.path, until: .now)
      copy = try copyOfDescriptor(for: directory.path)
      let isOtherHeld = try Files.lock(directory: directory.path, until: .now.advanced(by: .milliseconds(20))).isHeld
      let isHeld = lock.isHeld
      #expect(isHeld && !isOtherHeld)
    }
    #expect(copy >= 0)
    let isHeldLater = try Files.lock(directory: directory.path, until: .now).isHeld
    #expect(isHeldLater)
    close(copy)
  }

  // MARK: Identity

  @Test func `a file is itself under each of its names and when it is moved, and no other`() throws {
    try directory.write("file", "")
    try directory.write("other", "")
    try directory.link("link", to: "file")
    try FileManager.default.linkItem(atPath: directory("file"), toPath: directory("hard"))
    let file = try #require(Files.Identity(directory("file")))
    #expect(Files.Identity(directory("file")) == file)
    #expect(Files.Identity(directory("hard")) == file)
    #expect(Files.Identity(directory("other")) != file)
    #expect(Files.Identity(directory("link")) != file, "a link is a file of its own")
    #expect(Files.Identity(directory("missing")) == nil)
    try directory.move("file", to: "moved")
    try directory.write("file", "")
    #expect(Files.Identity(directory("moved")) == file)
    #expect(try #require(Files.Identity(directory("file"))) != file)
  }

  @Test func `the nearest directory that exists is the one above, or one further up`() throws {
    let directory = try ScratchDirectory()
    try directory.makeDirectory("a")
    #expect(Files.existingDirectory(above: directory("a/b")) == directory("a"))
    #expect(Files.existingDirectory(above: directory("a/b/c/d")) == directory("a"))
    #expect(Files.existingDirectory(above: directory("x/y")) == directory.path)
    #expect(Files.existingDirectory(above: "/nothing-of-this-name/x") == "/")
  }
}
