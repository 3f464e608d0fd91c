import PathModel
import Testing

@testable import PathFollowing

@Suite("An error that the service replied")
struct PathSourceErrorTests {
  @Test(arguments: PathMonitorInterface.ErrorName.allCases)
  func `has a message and advice in words`(_ name: PathMonitorInterface.ErrorName) {
    let error = PathSourceError(errorReply: name.fullName, ["limit": "connections", "value": 8])
    #expect(error.code == .declined)
    #expect(error.reply == .error(name: name.fullName))
    #expect(!error.message.isEmpty && !error.message.hasSuffix("."))
    #expect(!error.message.contains(name.fullName))
    #expect(error.advice?.hasSuffix(".") != false)
  }

  @Test func `names the limit that was reached`() {
    let name = PathMonitorInterface.ErrorName.limitReached.fullName
    let error = PathSourceError(errorReply: name, ["limit": "connections", "value": 8])
    #expect(error.description == "the service has reached a limit, connections = 8. Try again later.")
  }

  @Test func `with an unknown name is named`() {
    let error = PathSourceError(errorReply: "io.example.Hibernating", ["reason": "night"])
    #expect(error.description == "the service answers with the error io.example.Hibernating (night)")
  }
}
