import Foundation
import SystemIO
import Testing

@Suite("Files")
struct FilesTests {
  private let directory: TestDirectory

  init() throws {
    directory = try TestDirectory()
  }

  @Test(arguments: [0, 1, 4_095, 4_096, 4_097, 20_000])
  func `a file is read whole`(size: Int) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
    try Data(bytes).write(to: URL(fileURLWithPath: directory("file")))
    #expect(try Files.read(directory("file")) == bytes)
  }

  @Test func `reading ends soon after the limit`() throws {
    try Data(repeating: 7, count: 100_000).write(to: URL(fileURLWithPath: directory("file")))
    #expect((5_000..<10_000).contains(try Files.read(directory("file"), limit: 5_000).count))
    #expect(try Files.read("/dev/zero", limit: 100).count < 10_000)
  }

  @Test func `files of the kernel, which say that they are empty, are read too`() throws {
    #expect(try !Files.read("/proc/self/stat").isEmpty)
  }

  @Test func `what cannot be read throws what was attempted and why`() throws {
    let missing = try #require(throws: SystemError.self) { try Files.read(directory("missing")) }
    #expect(missing.description == "cannot open \(directory("missing")): No such file or directory")
    let isDirectory = try #require(throws: SystemError.self) { try Files.read(directory.path) }
    #expect(isDirectory.errorNumber == EISDIR)
    #expect(isDirectory.attempt == "read \(directory.path)")
  }

  @Test func `a link's target is as it was written`() throws {
    try FileManager.default.createSymbolicLink(atPath: directory("link"), withDestinationPath: "../nowhere/é")
    #expect(Files.linkTarget(directory("link")) == "../nowhere/é")
    #expect(Files.linkTarget(directory.path) == nil)
    #expect(Files.linkTarget(directory("missing")) == nil)
  }

  @Test func `a link that leads nowhere does not exist`() throws {
    try FileManager.default.createSymbolicLink(atPath: directory("dangling"), withDestinationPath: "nowhere")
    try FileManager.default.createSymbolicLink(atPath: directory("link"), withDestinationPath: directory.path)
    #expect(!Files.exists(directory("dangling")))
    #expect(Files.exists(directory("link")))
    #expect(Files.exists(directory.path))
  }

  @Test(arguments: [("/etc/resolv.conf", "/etc"), ("/resolv.conf", "/"), ("/", "/"), ("name", "/"), ("/a/b/", "/a/b")])
  func `the directory of a path`(path: String, expected: String) {
    #expect(Files.directory(of: path) == expected)
  }
}
