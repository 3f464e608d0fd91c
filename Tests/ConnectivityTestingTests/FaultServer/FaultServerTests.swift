import Foundation
import Glibc
import SystemIO
import Testing

@testable import ConnectivityTesting

@Suite("The fault server, seen by sockets")
struct FaultServerTests {
  @Test(
    arguments: [
      ("/ok", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok", .end),
      ("/late", "\r\n\r\nok", .end),
      ("/slow-head", "\r\n\r\nok", .end), ("/slow-body", "\r\n\r\nslow body", .end), ("/empty", "", .end),
      ("/truncated", "a b", .end), ("/garbage", "220 mail.example.org ready\r\n", .end),
      ("/reset", "", .failure(errno: ECONNRESET)),
    ] as [(String, String, RawClient.End)])
  func `an answer arrives as far as its fault lets it`(path: String, last: String, expected: RawClient.End) throws {
    let server = try FaultServer()
    let (text, end) = try RawClient.get(path, from: server.port)
    #expect(last.isEmpty ? text.isEmpty : text.hasSuffix(last))
    #expect(end == expected)
  }

  @Test func `a body of a megabyte goes there and back`() throws {
    let server = try FaultServer()
    let client = try RawClient(to: server.port)
    let body = String(repeating: "0123456789abcdef", count: 65_536)
    try client.send("PUT /echo HTTP/1.1\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body)
    let (text, end) = client.receiveAll()
    #expect(text.hasSuffix("\r\n\r\n" + body))
    #expect(end == .end)
  }

  @Test func `a reset within the body comes after its part`() throws {
    let server = try FaultServer()
    let client = try RawClient(to: server.port)
    try client.send("GET /reset-body HTTP/1.1\r\n\r\n")
    // The reset may overtake bytes that the client has not read.
    let (text, end) = client.receiveAll()
    #expect(text.isEmpty || text.hasSuffix("\r\n\r\na b"))
    #expect(end == .failure(errno: ECONNRESET))
  }

  @Test func `a silent server keeps the connection until the client leaves`() async throws {
    let server = try FaultServer()
    do {
      let client = try RawClient(to: server.port)
      try client.send("GET /silent HTTP/1.1\r\n\r\n")
      #expect(await server.waitForRequests(1, to: "/silent"))
      #expect(server.abandonedCount(of: "/silent") == 0)
      client.endSending()
      #expect(client.receiveAll().text.isEmpty)
    }
    #expect(await server.waitForAbandoned(1, of: "/silent"))
  }

  @Test func `a body that falls silent begins`() async throws {
    let server = try FaultServer()
    do {
      let client = try RawClient(to: server.port)
      try client.send("GET /silent-body HTTP/1.1\r\n\r\n")
      let beginning = "HTTP/1.1 200 OK\r\nContent-Length: 34\r\nConnection: close\r\n\r\na b"
      #expect(try client.receive(atLeast: beginning.utf8.count) == beginning)
    }
    #expect(await server.waitForAbandoned(1, of: "/silent-body"))
  }

  @Test func `a client that leaves a slow answer is counted once`() async throws {
    let server = try FaultServer { _ in
      FaultAnswer(body: String(repeating: "x", count: 1_000_000)).with(
        .slowBody(pieceBytes: 1, pause: .milliseconds(1)))
    }
    let client = try RawClient(to: server.port)
    try client.send("GET /x HTTP/1.1\r\n\r\n")
    _ = try client.receive(atLeast: 100)
    client.reset()
    #expect(await server.waitForAbandoned())
    #expect(server.abandonedCount() == 1)
  }

  @Test func `requests are counted by path and numbered by target`() throws {
    let server = try FaultServer()
    let query = ["userName": "a b+&c=ä%41"]
    let url = server.url("/ok", query: query).absoluteString
    let address = try #require(url.firstRange(of: "\(server.port)"))
    let targets = ["/ok?a", "/ok?b", "/ok?a", "/json", String(url[address.upperBound...])]
    for target in targets { _ = try RawClient.get(target, from: server.port) }
    #expect(server.requests.map(\.number) == [1, 1, 2, 1, 1])
    #expect(server.requests.last?.query == query, "values arrive as they were given")
    #expect(server.requestCount(to: "/ok") == 4)
    #expect(server.requestCount() == 5)
    #expect(server.connectionCount == 5)
  }

  @Test func `a hundred clients are answered, each with its own`() async throws {
    let server = try FaultServer { FaultAnswer(body: $0.path) }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<100 {
        group.addTask { try RawClient.get("/\(number)", from: server.port).text.hasSuffix("\r\n\r\n/\(number)") }
      }
      for try await isRight in group { #expect(isRight) }
    }
    #expect(server.requestCount() == 100)
  }

  @Test func `a request that is none is refused, and counts as a connection alone`() throws {
    let server = try FaultServer()
    let client = try RawClient(to: server.port)
    try client.send("nonsense\r\n\r\n")
    #expect(client.receiveAll().text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    #expect(server.requestCount() == 0)
    #expect(server.connectionCount == 1)
  }

  @Test func `a wait ends with the server, and with its task`() async throws {
    let server = try FaultServer()
    let cancelled = Task { await server.waitForRequests() }
    cancelled.cancel()
    #expect(await cancelled.value == false)
    async let closed = server.waitForRequests()
    server.close()
    #expect(await closed == false)
    #expect(await server.waitForRequests() == false)
  }

  @Test func `a port that is taken is an error that names it`() throws {
    let server = try FaultServer()
    let error = #expect(throws: LoopbackError.self) { try FaultServer(port: server.port) }
    #expect(error?.description == "Cannot listen at 127.0.0.1:\(server.port): Address already in use.")
    let other = #expect(throws: LoopbackError.self) { try FaultServer(at: "localhost") }
    #expect(other?.description == "Cannot listen at localhost:0: 'localhost' is no IPv4 address.")
  }
}

@Suite("The end of a server")
struct FaultServerEndTests {
  @Test func `a closed server resets its clients and refuses others`() async throws {
    let server = try FaultServer()
    let client = try RawClient(to: server.port)
    try client.send("GET /silent HTTP/1.1\r\n\r\n")
    await server.waitForRequests()
    server.close()
    #expect(client.receiveAll().end == .failure(errno: ECONNRESET))
    let refusal = #expect(throws: SystemError.self) { _ = try RawClient(to: server.port) }
    #expect(refusal?.errorNumber == ECONNREFUSED)
    server.close()
  }

  @Test func `an object on a thread is released there before the call that ends the thread returns`() throws {
    final class Resident {
      let released: Guarded<Bool>
      init(_ released: Guarded<Bool>) { self.released = released }
      deinit { released.withLock { $0 = true } }
    }
    let released = Guarded(false)
    let thread = try LoopThread("resident") { _ in Resident(released) }
    #expect(!released.copy)
    thread.close()
    #expect(released.copy)
  }

  @Test func `a server may be closed by its own answer`() throws {
    let box = Guarded<FaultServer?>(nil)
    let server = try FaultServer { _ in
      box.copy?.close()
      return FaultAnswer()
    }
    box.exchange(\.self, for: server)
    _ = try? RawClient.get("/", from: server.port)
    box.exchange(\.self, for: nil)
  }

  @Test func `a hundred servers and links leave neither descriptors nor threads behind`() async {
    await #expect(processExitsWith: .success) {
      // Everything that the first use of the library opens for good is open from here on.
      for _ in 0..<2 { try await Self.useServerAndLink() }
      let before = Self.count(in: "/proc/self/fd")
      for _ in 0..<100 { try await Self.useServerAndLink() }
      // An object may be released a moment after its thread has ended.
      for _ in 0..<100_000 where Self.count(in: "/proc/self/fd") > before { sched_yield() }
      precondition(Self.count(in: "/proc/self/fd") <= before, "descriptors are left")
      // Dispatch has up to 64 threads of its own.
      precondition(Self.count(in: "/proc/self/task") < 100, "threads are left")
    }
  }

  private static func useServerAndLink() async throws {
    let server = try FaultServer()
    let link = try LinkConditioner(.unlimited, to: server.port)
    _ = try RawClient.get("/ok", from: server.port)
    _ = try RawClient.get("/ok", from: link.port)
    let client = try RawClient(to: link.port)
    try client.send("GET /silent HTTP/1.1\r\n\r\n")
    await server.waitForRequests(1, to: "/silent")
    let port = try FaultPort.silent()
    link.close()
    server.close()
    port.close()
  }

  private static func count(in folder: String) -> Int {
    (try? Files.entries(of: folder).count) ?? 0
  }
}

@Suite("Ports that accept no connection")
struct FaultPortTests {
  @Test func `a refusing port refuses, and no other process gets it`() throws {
    let port = try FaultPort.refusing()
    let error = #expect(throws: SystemError.self) { _ = try RawClient(to: port.port) }
    #expect(error?.errorNumber == ECONNREFUSED)
    #expect(throws: LoopbackError.self) { try FaultServer(port: port.port) }
    port.close()
    let server = try FaultServer(port: port.port)
    #expect(server.port == port.port)
  }

  @Test func `a silent port does not answer, so that the kernel repeats the attempt`() throws {
    let port = try FaultPort.silent()
    let socket = try InternetSocket.connect(to: "127.0.0.1", port: port.port)
    var (state, repetitions) = try Self.attempt(of: socket.number)
    while state == Self.synSent, repetitions == 0 {
      sched_yield()
      (state, repetitions) = try Self.attempt(of: socket.number)
    }
    #expect(state == Self.synSent)
  }

  /// `TCP_SYN_SENT` in `linux/tcp_states.h`.
  private static let synSent: UInt8 = 2

  /// The state of a socket and how often its last segment has been sent again: `tcpi_state` and `tcpi_retransmits`,
  /// tcp(7). The table in /proc can miss a socket while others come and go.
  private static func attempt(of socket: Int32) throws -> (state: UInt8, repetitions: UInt8) {
    var information = [UInt8](repeating: 0, count: 104)
    var length = socklen_t(information.count)
    let result = unsafe information.withUnsafeMutableBytes { bytes in
      unsafe getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, bytes.baseAddress, &length)
    }
    try #require(result == 0)
    return (information[0], information[2])
  }
}
