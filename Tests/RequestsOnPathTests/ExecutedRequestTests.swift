import ConnectivityTesting
import Foundation
import ProcessTestSupport
import RequestsOnPath
import Testing

/// Requests to a name with an IPv6 address that refuses and an IPv4 address whose server executes them. Names come from
/// a file of the test, in a mount namespace.
@Suite(
  "Requests that a server has executed", .timeLimit(.minutes(2)),
  .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct ExecutedRequestTests {
  /// Mounts files in the place of the machine's, for the program alone, and executes it.
  private static let script = """
    mount --bind "$1" /etc/hosts || exit
    if [ -e /etc/nsswitch.conf ]; then mount --bind "$2" /etc/nsswitch.conf || exit; fi
    shift 2
    exec "$@"
    """

  /// Posts to a path of the server by the name, with three attempts, and returns the line of the result.
  private func post(_ word: String, to path: String, of server: FaultServer) async throws -> String {
    let directory = try ScratchDirectory()
    try directory.write("hosts", "::1 order.example\n127.0.0.1 order.example\n")
    try directory.write("nsswitch.conf", "hosts: files\n")
    let program = try RunningProgram(
      [
        "unshare", "-m", "--propagation", "private", "sh", "-c", Self.script, "sh", directory("hosts"),
        directory("nsswitch.conf"), RunningProgram.built("request-probe"),
        server.url(path, host: "order.example").absoluteString, "connected", word,
      ], environment: ["PATHMONITOR_SIMULATE": "online"])
    defer { program.kill() }
    _ = try await program.waitForExit(within: .seconds(60))
    return try #require(program.output.lines.first, "\(program.complaints.text)")
  }

  @Test(
    "a POST that was executed is not sent again, although another address of the name refuses",
    arguments: ["/empty", "/truncated", "/reset"], ["post", "post-nothing"])
  func executed(_ path: String, _ word: String) async throws {
    let server = try FaultServer.forRequests()
    let line = try await post(word, to: path, of: server)
    #expect(line.hasPrefix("failure "))
    #expect(server.requestCount() == 1, "\(line)")
  }

  @Test func `a POST that all addresses refuse is tried three times`() async throws {
    let server = try FaultServer.forRequests()
    server.close()
    let line = try await post("post", to: "/ok", of: server)
    #expect(line.hasPrefix("failure ") && line.hasSuffix(" cannot connect attempts 3"), "\(line)")
  }
}
