import Foundation
import ProcessTestSupport
import SystemIO
import Testing

@Suite("Groups in a file")
struct UserDatabaseTests {
  @Test(arguments: [
    ("wheel", 7), ("wheel2", 8), ("nobodys", 9), ("é", 10), ("last", 11), ("whee", nil), ("", nil), ("7", nil),
    ("short", nil), ("shorter", nil), ("words", nil), ("negative", nil), ("large", nil), ("e\u{301}", nil),
    ("wheel:x", nil),
  ])
  func `the number of a group is that of the first line with its name`(name: String, number: UInt32?) throws {
    let directory = try ScratchDirectory()
    let text = """
      wheel:x:7:root,somebody
      wheel2:x:8:
      wheel:x:70:
      nobodys:*:9

      short
      shorter:x
      words:x:one:
      negative:x:-1:
      large:x:4294967296:
      é::10:
      last:x:11:somebody
      """
    try Data(text.utf8).write(to: URL(filePath: directory("group")))
    #expect(UserDatabase.group(named: name, in: directory("group")) == number)
  }

  @Test func `a file that is missing, or is none, has no groups`() throws {
    let directory = try ScratchDirectory()
    #expect(UserDatabase.group(named: "root", in: directory("group")) == nil)
    #expect(UserDatabase.group(named: "root", in: "/dev/zero") == nil)
    #expect(UserDatabase.group(named: "root") == 0)
  }
}
