import Foundation
import Glibc
import ProcessTestSupport
import SystemIO
import Testing

@Suite("Replacing files")
struct FileReplacementTests {
  private let directory: ScratchDirectory

  init() throws {
    directory = try ScratchDirectory()
  }

  private func names() throws -> [String] { try Files.entries(of: directory.path).sorted() }

  private func mode(of name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: directory(name))[.posixPermissions] as? Int
  }

  @Test(arguments: [0o600, 0o644, 0o666] as [UInt32])
  func `a file is made or replaced with the permissions that were asked for, whatever the umask`(mode: UInt32) throws {
    for text in ["first, which is longer", "second"] {
      try Files.replace(directory("file"), with: Array(text.utf8), mode: mode)
      #expect(try Files.read(directory("file")) == Array(text.utf8))
      #expect(try self.mode(of: "file") == Int(mode))
    }
    #expect(try names() == ["file"])
  }

  @Test(arguments: [0o600, 0o640, 0o666] as [Int])
  func `a file that is replaced keeps its permissions`(mode: Int) throws {
    try directory.write("file", "old")
    #expect(unsafe chmod(directory("file"), mode_t(mode)) == 0)
    try Files.replace(directory("file"), with: Array("new".utf8))
    #expect(try Files.read(directory("file")) == Array("new".utf8))
    #expect(try self.mode(of: "file") == mode)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
  func `a file that is replaced keeps its owner and group`() throws {
    try directory.write("file", "old")
    #expect(unsafe chown(directory("file"), 65_534, 1_234) == 0)
    try Files.replace(directory("file"), with: Array("new".utf8))
    let attributes = try FileManager.default.attributesOfItem(atPath: directory("file"))
    #expect(attributes[.ownerAccountID] as? Int == 65_534 && attributes[.groupOwnerAccountID] as? Int == 1_234)
    try Files.replace(directory("file"), with: Array("new".utf8), mode: 0o644)
    #expect(try Files.read(directory("file"), trust: .ownFiles) == Array("new".utf8), "our own if a mode is asked for")
  }

  @Test func `a new file has the permissions that the umask leaves`() async {
    await #expect(processExitsWith: .success) {
      let directory = try ScratchDirectory()
      for (mask, mode) in [(0o022, 0o644), (0o027, 0o640), (0o077, 0o600)] {
        umask(mode_t(mask))
        try Files.replace(directory("\(mask)"), with: [1])
        let attributes = try FileManager.default.attributesOfItem(atPath: directory("\(mask)"))
        try #require(attributes[.posixPermissions] as? Int == mode)
      }
    }
  }

  @Test func `several writers leave the whole contents of one of them, and no reader sees anything else`() throws {
    let path = directory("file")
    let texts = (0..<4).map { [UInt8](repeating: UInt8($0), count: 20_000) }
    try Files.replace(path, with: texts[0])
    let writers = texts.map { text in
      Background<Void> { for _ in 0..<200 { try Files.replace(path, with: text) } }
    }
    let reader = Background { () throws -> [[UInt8]] in
      var strange: [[UInt8]] = []
      for _ in 0..<400 {
        let contents = try Files.read(path)
        if !texts.contains(contents) { strange.append(contents) }
      }
      return strange
    }
    for writer in writers { try writer.wait() }
    #expect(try reader.wait().map(\.count) == [])
    #expect(texts.contains(try Files.read(path)))
    #expect(try names() == ["file"])
  }

  @Test func `files beside the one that is replaced stay as they are, whatever their names`() throws {
    try directory.write("file", "old")
    for name in ["file.new", "file~", ".file", ".pathmonitor-0"] { try directory.write(name, "not ours") }
    try Files.replace(directory("file"), with: Array("new".utf8))
    for name in ["file.new", "file~", ".file", ".pathmonitor-0"] {
      #expect(try Files.read(directory(name)) == Array("not ours".utf8))
    }
    #expect(try names().count == 5)
  }

  @Test func `a link is replaced, and its target stays as it is`() throws {
    try directory.write("target", "not ours")
    #expect(unsafe chmod(directory("target"), 0o600) == 0)
    try directory.link("file", to: "target")
    try Files.replace(directory("file"), with: Array("new".utf8))
    #expect(Files.isRegular(directory("file")))
    #expect(try Files.read(directory("target")) == Array("not ours".utf8))
    #expect(try mode(of: "target") == 0o600)
  }

  @Test func `a file that cannot be replaced is left as it is, without a draft`() throws {
    try directory.makeDirectory("file/full")
    #expect(throws: SystemError("replace \(directory("file"))", errorNumber: EISDIR)) {
      try Files.replace(directory("file"), with: [1])
    }
    #expect(try names() == ["file"])
    #expect(throws: SystemError("make a draft beside \(directory("missing/file"))", errorNumber: ENOENT)) {
      try Files.replace(directory("missing/file"), with: [1])
    }
  }

  @Test func `a file that may not grow so large leaves the old one, and no draft`() async {
    await #expect(processExitsWith: .success) {
      let directory = try ScratchDirectory()
      try directory.write("file", "old")
      Output.failWithoutSignals()
      // The smallest full disk: files of this process may not grow over 10 bytes.
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      var limit = rlimit()
      try #require(unsafe getrlimit(resource, &limit) == 0)
      let usual = limit.rlim_cur
      limit.rlim_cur = 10
      try #require(unsafe setrlimit(resource, &limit) == 0)
      let error = #expect(throws: SystemError.self) {
        try Files.replace(directory("file"), with: [UInt8](repeating: 7, count: 100))
      }
      limit.rlim_cur = usual
      try #require(unsafe setrlimit(resource, &limit) == 0)
      try #require(error == SystemError("write \(directory("file"))", errorNumber: EFBIG))
      try #require(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["file"])
      try #require(try Files.read(directory("file")) == Array("old".utf8))
    }
  }
}
