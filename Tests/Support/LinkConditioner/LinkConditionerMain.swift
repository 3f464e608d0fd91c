import ConnectivityTesting
import SystemIO

/// link-conditioner PROFILE PORT: a link with the profile to the server at the port of 127.0.0.1. It prints the port of
/// the link and runs until its input ends.
@main
enum LinkConditionerMain {
  static func main() throws {
    let words = CommandLine.arguments.dropFirst()
    guard words.count == 2, let profile = LinkProfile(named: words[1]), let server = UInt16(words[2]) else {
      let names = LinkProfile.all.map(\.name).joined(separator: ", ")
      print("usage: link-conditioner PROFILE PORT, where PROFILE is one of: \(names)")
      return
    }
    let link = try LinkConditioner(profile, to: server)
    defer { link.close() }
    try Output.write(Array("\(link.port)\n".utf8), to: 1)
    while readLine() != nil {}
  }
}
