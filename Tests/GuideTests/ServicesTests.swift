@Suite("The services of the guide")
struct ServicesTests {
  private func service(_ path: NetworkPath = .online()) -> ServicesGuide.SyncService {
    ServicesGuide.SyncService(monitor: PathMonitor(source: .scripted(PathScript(path))))
  }

  @Test(
    "a service ends without an error when the group shuts down: it would be one of the whole program",
    arguments: [NetworkPath.offline, .online()])
  func shutdown(_ path: NetworkPath) async throws {
    let shutdown = GracefulShutdown()
    let running = Task {
      try await GracefulShutdown.$current.withValue(shutdown) {
        try await Synchronization.$isEndless.withValue(true) { try await service(path).run() }
      }
    }
    shutdown.begin()
    try await running.value
  }

  @Test func `a service whose task is cancelled without a shutdown has not ended by itself`() async throws {
    try await service().run()
    let running = Task { try await Synchronization.$isEndless.withValue(true) { try await service().run() } }
    running.cancel()
    await #expect(throws: CancellationError.self) { try await running.value }
  }

  @Test(
    "the errors of SwiftNIO have their traits",
    arguments: [
      // recv(2) of a connection that dies has this errno, too.
      (IOError(errnoCode: ENETUNREACH), FailureTraits(.offline)),
      (connecting(ENETUNREACH), FailureTraits(.offline, isUnsent: true)),
      (connecting(ECONNREFUSED), FailureTraits(.transient, isUnsent: true, isAnswer: true)),
      (HTTPClientError.connectTimeout, FailureTraits(.timedOut, isUnsent: true)),
      (HTTPClientError.readTimeout, FailureTraits(.timedOut)),
      (HTTPClientError.remoteConnectionClosed, FailureTraits(.transient)),
      (CancellationError(), FailureTraits(.cancelled)),
    ] as [(any Error, FailureTraits)])
  func judgement(_ error: any Error, _ traits: FailureTraits) {
    #expect(ServicesGuide().judge(error) == traits)
  }

  private static func connecting(_ errno: CInt) -> NIOConnectionError {
    NIOConnectionError(connectionErrors: [.init(error: IOError(errnoCode: errno))])
  }
}
