import ConnectivityTesting
import Foundation
import FoundationNetworking
import ProcessTestSupport
import RequestsOnPath
import Testing

@Suite("Uploads and downloads on a path", .timeLimit(.minutes(2)))
struct UploadDownloadTests {
  /// A POST to a path that sends the body back.
  private func request(_ server: FaultServer, _ path: String = "/echo") -> URLRequest {
    var request = URLRequest(url: server.url(path))
    request.httpMethod = "POST"
    return request
  }

  @Test func `data is sent once there is a path`() async throws {
    let (server, stage) = (try FaultServer.forRequests(), Stage(.offline))
    let body = Data(repeating: 7, count: 300_000)
    let (data, _) = try await stage.session.upload(
      for: request(server), from: body, requiring: .connected, options: stage.options(), clock: stage.clock
    ) { _ in
      stage.script.send(.online())
    }
    #expect(data == body)
    await server.waitForRequests(to: "/echo")
    #expect(server.requestCount(to: "/echo") == 1)
  }

  @Test func `a file is sent, and one that is not there is a failure`() async throws {
    let (server, stage, folder) = (try FaultServer.forRequests(), Stage(.online()), try ScratchDirectory())
    try folder.write("body", "the text of a file")
    let (data, _) = try await stage.session.upload(
      for: request(server), fromFile: URL(fileURLWithPath: folder("body")), requiring: .connected,
      options: stage.options(), clock: stage.clock)
    #expect(String(decoding: data, as: UTF8.self) == "the text of a file")
    let failure = await Stage.failure { () async throws(RequestFailure) in
      try await stage.session.upload(
        for: request(server), fromFile: URL(fileURLWithPath: folder("none")), requiring: .connected,
        options: stage.options(), clock: stage.clock)
    }
    #expect(failure?.reason == .unusableFile)
  }

  @Test func `a download is a file with the bytes of the server`() async throws {
    let (server, stage) = (try FaultServer.forRequests(), Stage(.online()))
    let (file, response) = try await stage.session.download(
      from: server.url("/ok"), requiring: .connected, options: stage.options(), clock: stage.clock)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(try Data(contentsOf: file) == Data("ok".utf8))
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
  }

  @Test func `a download whose path is lost is cancelled, and so is an upload that no server answers`() async throws {
    let (server, stage) = (try FaultServer.forRequests(), Stage(.online()))
    let download = Task {
      await Stage.failure { () async throws(RequestFailure) in
        try await stage.session.download(
          from: server.url("/half"), requiring: .connected, options: stage.options(), clock: stage.clock)
      }
    }
    let upload = Task { [request = request(server, "/silent")] in
      await Stage.failure { () async throws(RequestFailure) in
        try await stage.session.upload(
          for: request, from: Data(count: 10), requiring: .connected, options: stage.options(), clock: stage.clock)
      }
    }
    for fault in ["/half", "/silent"] { await server.waitForRequests(to: fault) }
    stage.script.send(.offline)
    await stage.clock.waitForSleepers(2)
    stage.clock.advance(by: .seconds(2))
    #expect(await download.value?.reason == .connectionLost)
    #expect(await upload.value?.reason == .connectionLost)
    for fault in ["/half", "/silent"] { await server.waitForAbandoned(of: fault) }
  }
}
