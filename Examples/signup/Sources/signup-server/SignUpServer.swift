import ConnectivityTesting
import Foundation
import NameService

/// signup-server [ADDRESS [PORT [SECONDS]]]: the service that `signup` asks, with the faults of its user names. It
/// prints a line for each request, and runs until a signal ends it.
@main
enum SignUpServer {
  static func main() throws {
    let words = Array(CommandLine.arguments.dropFirst())
    let address = words.first ?? "127.0.0.1"
    guard let port = UInt16(words.count > 1 ? words[1] : "8080"), let seconds = Int(words.count > 2 ? words[2] : "3")
    else {
      FileHandle.standardError.write(Data("usage: signup-server [ADDRESS [PORT [SECONDS OF RETRY-AFTER]]]\n".utf8))
      exit(EX_USAGE)
    }
    let server = try FaultServer(at: address, port: port) { request in
      say("\(request.method) \(request.target)")
      return answer(to: request, retryAfter: seconds)
    }
    defer { server.close() }
    say("http://\(address):\(server.port)")
    while true { pause() }
  }

  /// The rules of user names, and a few faults more, each for the names that begin with its word.
  static func answer(to request: FaultRequest, retryAfter seconds: Int) -> FaultAnswer {
    guard ["/isUserNameAvailable", "/users"].contains(request.path) else { return FaultAnswer(404) }
    let name = request.query["userName"] ?? ""
    if name.hasPrefix("slow") { return FaultAnswer.signUp(request).with(.late(by: .seconds(2))) }
    if name.hasPrefix("silent") { return FaultAnswer().with(.silent(afterBodyBytes: nil)) }
    if name.hasPrefix("reset") { return FaultAnswer().with(.reset(afterBodyBytes: nil)) }
    // A network with a page to sign in, which the first request signs in.
    if name.hasPrefix("portal"), request.number == 1 { return .portalPage }
    return .signUp(request, retryAfter: seconds)
  }

  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}
