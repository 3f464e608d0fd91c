import ProcessTestSupport

extension TestNetwork {
  /// Runs a test with a network that has the uplink `uplink0`, and with a daemon in it.
  static func withService(_ body: (TestDaemon, TestNetwork) async throws -> Void) async throws {
    try await with { network in
      try await network.connect("uplink0")
      let daemon = try await TestDaemon(namespace: network.near)
      try await body(daemon, network)
      try await daemon.stop()
    }
  }
}
