import ConnectivityTesting
import Glibc
import SystemIO
import Testing

@Suite("Conditioned links")
struct LinkConditionerTests {
  /// Fast and with every property, so that a test does not wait.
  private let quick = LinkProfile(
    "quick", downlink: .init(bitsPerSecond: 80_000_000, delay: .milliseconds(2), loss: 0.2),
    uplink: .init(bitsPerSecond: 80_000_000, delay: .milliseconds(2), loss: 0.2))

  @Test(arguments: [true, false]) func `bytes pass unchanged, in both directions`(isLimited: Bool) throws {
    let server = try FaultServer()
    let link = try LinkConditioner(isLimited ? quick : .unlimited, to: server.port)
    let client = try RawClient(to: link.port)
    let body = (0..<100_000).map { "\($0)" }.joined(separator: " ")
    try client.send("PUT /echo HTTP/1.1\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body)
    let (text, end) = client.receiveAll()
    #expect(text.hasSuffix("\r\n\r\n" + body))
    #expect(end == .end)
    #expect(link.uploadedBytes > body.utf8.count)
    #expect(link.deliveredBytes > body.utf8.count)
    #expect(link.connectionCount == 1)
  }

  @Test func `the end of the client's bytes reaches the server, whose reset reaches the client`() throws {
    let server = try FaultServer()
    let link = try LinkConditioner(quick, to: server.port)
    let client = try RawClient(to: link.port)
    try client.send("GET /slow-body HTTP/1.1\r\n\r\n")
    #expect(try client.receive(atLeast: 20).hasPrefix("HTTP/1.1 200 OK"))
    client.endSending()
    // The server takes the end of the client's bytes for a closed connection, and breaks the answer off.
    #expect(client.receiveAll().end == .failure(errno: ECONNRESET))
    #expect(server.abandonedCount() == 1)
  }

  @Test(arguments: [true, false])
  func `nothing passes a link that is stalled or loses everything, until it goes on`(isStalled: Bool) async throws {
    let server = try FaultServer()
    let link = try LinkConditioner(isStalled ? .unlimited : .completeLoss, to: server.port)
    if isStalled { link.stall() }
    let client = try RawClient(to: link.port)
    try client.send("GET /ok HTTP/1.1\r\n\r\n")
    // Other clients of the server are answered meanwhile; the first one would have been before the last of them.
    for _ in 0..<50 { _ = try RawClient.get("/json", from: server.port) }
    #expect(server.requestCount(to: "/ok") == 0)
    if isStalled { link.resume() } else { link.setProfile(.unlimited) }
    #expect(client.receiveAll().text.hasSuffix("ok"))
  }

  @Test func `a link that is reset resets both sides, and others can be made`() async throws {
    let request = try await SilentRequest()
    request.link.reset()
    #expect(request.client.receiveAll().end == .failure(errno: ECONNRESET))
    #expect(await request.server.waitForAbandoned(1, of: "/silent"))
    #expect(try RawClient.get("/ok", from: request.link.port).text.hasSuffix("ok"))
  }

  @Test(arguments: ["/reset", "/reset-body"])
  func `a reset of the server reaches the client`(path: String) throws {
    let server = try FaultServer()
    let link = try LinkConditioner(.unlimited, to: server.port)
    #expect(try RawClient.get(path, from: link.port).end == .failure(errno: ECONNRESET))
  }

  @Test func `a client that leaves is gone for the server`() async throws {
    let request = try await SilentRequest()
    let server = request.server
    request.client.reset()
    #expect(await server.waitForAbandoned())
  }

  @Test func `a server that refuses resets the client`() throws {
    let port = try FaultPort.refusing()
    let link = try LinkConditioner(.unlimited, to: port.port)
    // The reset may come before the client has sent anything.
    do {
      #expect(try RawClient.get("/", from: link.port).end == .failure(errno: ECONNRESET))
    } catch let error as SystemError {
      #expect([ECONNRESET, EPIPE].contains(error.errorNumber))
    }
  }

  @Test func `a closed link resets its clients and refuses others`() async throws {
    let request = try await SilentRequest()
    let link = request.link
    link.close()
    #expect(request.client.receiveAll().end == .failure(errno: ECONNRESET))
    let refusal = #expect(throws: SystemError.self) { _ = try RawClient(to: link.port) }
    #expect(refusal?.errorNumber == ECONNREFUSED)
  }
}

/// A request over a link that the server has, and does not answer.
private struct SilentRequest: ~Copyable {
  let server: FaultServer
  let link: LinkConditioner
  let client: RawClient

  init() async throws {
    let server = try FaultServer()
    let link = try LinkConditioner(.unlimited, to: server.port)
    let client = try RawClient(to: link.port)
    try client.send("GET /silent HTTP/1.1\r\n\r\n")
    await server.waitForRequests()
    (self.server, self.link) = (server, link)
    self.client = client
  }
}
