import Foundation
import KernelTestSupport
import PathEngine
import PathModel
import ProcessTestSupport
import SystemIO
import Testing
import Varlink

@testable import PathService

@Suite("Overrides", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct OverrideTests {
  private static let expensive: JSONObject = ["field": "isExpensive", "value": "true"]

  @Test func `a wrong value is refused with the allowed values, and makes no file`() async throws {
    try await ServiceStage.run { stage in
      let reply = try stage.call(.setOverride, ["field": "isExpensive", "value": "yes"])
      #expect(reply.parameters["reason"] == "'yes' is not a value of isExpensive; allowed: true, false")
      #expect(!FileManager.default.fileExists(atPath: stage.overridesPath))
    }
  }

  @Test func `an override ends by itself, watchers get the change, and the file no longer has it`() async throws {
    try await ServiceStage.run { stage in
      let watcher = try stage.connect()
      try watcher.watch(["settleMilliseconds": 0])
      let start = MonotonicInstant.now
      _ = try stage.call(.setOverride, ["field": "isExpensive", "value": "true", "seconds": 1])
      #expect(try watcher.next().path().isExpensive)
      #expect(try watcher.next().path().isExpensive == false)
      #expect(start.duration(to: .now) >= .seconds(1))
      #expect(try stage.file()["overrides"] == [])
      try stage.restart()
      #expect(try stage.path().overrides.isEmpty)
    }
  }

  @Test func `there are at most 64, and existing ones can still be changed`() async throws {
    try await ServiceStage.run { stage in
      try stage.namespace.batch((0..<22).map { "link add v\($0) type veth peer name w\($0)" })
      let fields = [("isExpensive", "true"), ("isConstrained", "true"), ("status", "unsatisfied")]
      let all = (0..<22).flatMap { number in
        fields.map {
          ["field": .string($0.0), "value": .string($0.1), "interface": .string("v\(number)")] as JSONObject
        }
      }
      for parameters in all.prefix(64) { #expect(try stage.call(.setOverride, parameters).error == nil) }
      try stage.call(.setOverride, all[64]).expectError(.limitReached, ["limit": "overrides", "value": 64])
      #expect(try stage.call(.setOverride, all[0]).error == nil)
      #expect(try stage.call(.clearOverride, ["interface": "v0"]).error == nil)
      #expect(try stage.call(.setOverride, all[64]).error == nil)
    }
  }

  // MARK: The file

  @Test func `overrides outlive the service, but not the boot`() async throws {
    try await ServiceStage.run { stage in
      _ = try stage.call(.setOverride, ["field": "isExpensive", "value": "true", "seconds": 3_600, "why": "kept"])
      let mode = try FileManager.default.attributesOfItem(atPath: stage.overridesPath)[.posixPermissions] as? Int
      #expect(mode == 0o644)
      try stage.restart()
      #expect(try stage.path().overrides == ["metered, set by root (\"kept\")"])
      #expect(try stage.notes().isEmpty)
      let bootID = try #require(try stage.file()["bootID"]?.stringValue)
      let text = try String(contentsOfFile: stage.overridesPath, encoding: .utf8)
      try stage.writeFile(text.replacing(bootID, with: "0c9fd5a1-0000-0000-0000-000000000000"))
      try stage.restart()
      #expect(try stage.path().overrides.isEmpty)
      #expect(try stage.notes().isEmpty)
      _ = try stage.call(.setOverride, Self.expensive)
      #expect(try stage.file()["bootID"] == .string(bootID))
    }
  }

  @Test func `an override that ended while the service was away is not restored`() async throws {
    try await ServiceStage.run { stage in
      _ = try stage.call(.setOverride, ["field": "isExpensive", "value": "true", "seconds": 3_600])
      _ = try stage.call(.setOverride, ["field": "isConstrained", "value": "true"])
      let expires = try #require(
        try stage.file()["overrides"]?.arrayValue?.compactMap { $0["expires"]?.integerValue }.first)
      let text = try String(contentsOfFile: stage.overridesPath, encoding: .utf8)
      try stage.writeFile(text.replacing("\(expires)", with: "1"))
      try stage.restart()
      #expect(try stage.path().overrides == ["constrained, set by root"])
    }
  }

  @Test(arguments: ["", "{\"version\":2,\"overrides\":[]}"])
  func `a damaged file overrides nothing, is named in the notes, and is replaced by the next override`(
    text: String
  ) async throws {
    try await ServiceStage.run { stage in
      try stage.writeFile(text)
      try stage.restart()
      #expect(try stage.path().overrides.isEmpty)
      let notes = try stage.notes()
      #expect(notes.count == 1)
      #expect(notes.first?.hasPrefix(stage.overridesPath) == true)
      #expect(notes.first?.contains("nothing is overridden") == true)
      #expect(try String(contentsOfFile: stage.overridesPath, encoding: .utf8) == text)
      _ = try stage.call(.setOverride, Self.expensive)
      #expect(try stage.notes().isEmpty)
      try stage.restart()
      #expect(try stage.path().isExpensive)
    }
  }

  @Test func `a file that cannot be written is reported, and the override still applies`() async throws {
    try await ServiceStage.run(overridesPath: "/proc/nowhere/overrides.json") { stage in
      #expect(try stage.notes().isEmpty)
      let reply = try stage.call(.setOverride, Self.expensive)
      #expect(reply.error == nil)
      #expect(try stage.path().isExpensive)
      #expect(try stage.notes().first?.contains("gone after a restart") == true)
    }
  }

  @Test func `a planted file overrides nothing and is named, and overrides are kept in a file of our own`()
    async throws
  {
    try await ServiceStage.run { stage in
      _ = try stage.call(.setOverride, Self.expensive)
      let path = stage.overridesPath
      #expect(unsafe chown(path, 65_534, 65_534) == 0)
      try stage.restart()
      #expect(try stage.path().overrides.isEmpty)
      #expect(
        try stage.notes() == ["cannot trust \(path): it belongs to uid 65534, so that nothing is overridden."])
      try FileManager.default.moveItem(atPath: path, toPath: "\(path).other")
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "\(path).other")
      try stage.restart()
      #expect(try stage.notes().first?.contains("Too many levels of symbolic links") == true)
      _ = try stage.call(.setOverride, Self.expensive)
      #expect(try stage.notes().isEmpty)
      #expect(try stage.file()["overrides"]?.arrayValue?.count == 1)
      #expect(try FileManager.default.attributesOfItem(atPath: path)[.ownerAccountID] as? Int == 0)
    }
  }

  @Test func `a file that could not be read or written is tried again`() async throws {
    try await ServiceStage.run { stage in
      _ = try stage.call(.setOverride, Self.expensive)
      let lease = try #require(FileLease(on: stage.overridesPath))
      try stage.restart()
      #expect(try stage.notes().count == 1)
      lease.end()
      #expect(try stage.run { try stage.notes().isEmpty })
      #expect(try stage.path().isExpensive)
      // No file can take the place of a directory.
      let former = "\(stage.overridesPath).former"
      try FileManager.default.moveItem(atPath: stage.overridesPath, toPath: former)
      try FileManager.default.createDirectory(atPath: stage.overridesPath, withIntermediateDirectories: false)
      _ = try stage.call(.setOverride, ["field": "isConstrained", "value": "true"])
      #expect(try stage.notes().first?.contains("gone after a restart") == true)
      try FileManager.default.removeItem(atPath: stage.overridesPath)
      #expect(try stage.run { try stage.notes().isEmpty })
      #expect(try stage.file()["overrides"]?.arrayValue?.count == 2)
    }
  }

  // MARK: Permission

  /// A group that every Debian has, without members.
  private static let group = (name: "games", number: UInt32(60))

  @Test func `only root and members of the group may override, and other users get the name of the group`()
    async throws
  {
    let number = UserDatabase.group(named: Self.group.name)
    try #require(number == Self.group.number, "there is no group \(Self.group)")
    try await ServiceStage.run(group: Self.group.name) { stage in
      let set = VarlinkCall(PathMonitorInterface.Method.setOverride.fullName, Self.expensive)
      let clear = VarlinkCall(PathMonitorInterface.Method.clearOverride.fullName)
      let needed: JSONObject = ["needed": "root, or membership in the group 'games'"]
      // Such a user learns of no mistake in the call.
      let wrong = VarlinkCall(set.method, ["field": "gateways", "value": "x", "interface": "none0"])
      for call in [set, clear, wrong] {
        try stage.reply(to: call).expectError(.permissionDenied, needed)
        try stage.reply(to: call, groups: Array(100..<200)).expectError(.permissionDenied, needed)
      }
      #expect(try stage.path().overrides.isEmpty)
      #expect(try stage.reply(to: set, groups: [Self.group.number]).error == nil)
      #expect(try stage.path().overrides == ["metered, set by user 65534"])
      #expect(try stage.reply(to: clear, group: Self.group.number).error == nil)
      #expect(try stage.path().overrides.isEmpty)
      #expect(try stage.reply(to: set, groups: Array(1_000..<1_200) + [Self.group.number]).error == nil)
      #expect(try stage.reply(to: clear, user: 0).error == nil)
    }
  }

  @Test func `without the group only root may override`() async throws {
    try await ServiceStage.run(group: "pmtest-no-such-group") { stage in
      let set = VarlinkCall(PathMonitorInterface.Method.setOverride.fullName, Self.expensive)
      let refusal = try stage.reply(to: set)
      #expect(refusal.error == PathMonitorInterface.ErrorName.permissionDenied.fullName)
      #expect(try stage.reply(to: set, user: 0, group: 0).error == nil)
    }
  }

  @Test func `a group that is made or removed while the service runs counts from the next reload on`() async throws {
    let directory = try ScratchDirectory()
    defer { withExtendedLifetime(directory) {} }
    let groups = directory("group")
    try Data("root:x:0:\n".utf8).write(to: URL(filePath: groups))
    try await ServiceStage.run(group: "pmtest", groupsPath: groups) { stage in
      let clear = VarlinkCall(PathMonitorInterface.Method.clearOverride.fullName)
      func isAllowed() throws -> Bool { try stage.reply(to: clear, groups: [4_711]).error == nil }
      #expect(try !isAllowed())
      try Data("root:x:0:\npmtest:x:4711:somebody\n".utf8).write(to: URL(filePath: groups))
      #expect(try !isAllowed())
      try stage.reload()
      #expect(try isAllowed())
      try FileManager.default.removeItem(atPath: groups)
      #expect(try isAllowed())
      try stage.reload()
      #expect(try !isAllowed())
    }
  }
}

extension ServiceStage {
  /// The overrides' file.
  fileprivate func file() throws -> JSONValue {
    try JSONValue(parsing: try Files.read(overridesPath))
  }

  fileprivate func writeFile(_ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: overridesPath))
  }
}
