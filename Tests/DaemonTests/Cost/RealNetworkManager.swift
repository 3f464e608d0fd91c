import Foundation
import ProcessTestSupport

/// NetworkManager itself, on a bus of a test's own, with `eth0` of the test's network to manage.
struct RealNetworkManager: Sendable {
  private let bus: PrivateBus
  private let network: TestNetwork
  private let machine: PrivateMachine

  /// - Parameter connectivity: Its settings for the check of a host.
  init(bus: PrivateBus, network: TestNetwork, connectivity: String) throws {
    (self.bus, self.network) = (bus, network)
    machine = try PrivateMachine()
    for name in ["connections", "conf.d"] {
      try FileManager.default.createDirectory(atPath: machine(name), withIntermediateDirectories: true)
    }
    try machine.write(
      "NetworkManager.conf",
      """
      [main]
      plugins=keyfile
      dns=none
      dhcp=internal
      systemd-resolved=false
      no-auto-default=*
      hostname-mode=none
      [keyfile]
      path=\(machine("connections"))
      [connectivity]
      \(connectivity)
      [device-eth0]
      match-device=interface-name:eth0
      managed=1
      """)
  }

  /// Starts it, and waits until it has found the device.
  func start() async throws -> RunningProgram {
    let program = try machine.start(
      [
        DebianProgram.networkManager ?? "", "--no-daemon", "--config", machine("NetworkManager.conf"), "--config-dir",
        machine("conf.d"), "--system-config-dir", machine("conf.d"), "--intern-config", machine("intern.conf"),
        "--state-file", machine("state"), "--pid-file", machine("pid"), "--log-level", "INFO",
      ], namespace: network.near, environment: bus.environment)
    // No event announces that it is ready, so it is asked until it lists the device.
    for _ in 0..<100 {
      if try await nmcli("-t", "-f", "DEVICE", "device").output.contains("eth0") { break }
      try await Task.sleep(for: .milliseconds(100))
    }
    return program
  }

  /// Runs its client, whether or not that succeeds.
  @discardableResult
  func nmcli(_ arguments: String...) async throws -> RunningProgram.Outcome { try await nmcli(arguments) }

  private func nmcli(_ arguments: [String]) async throws -> RunningProgram.Outcome {
    try await RunningProgram.run(
      [DebianProgram.networkManagerClient ?? ""] + arguments,
      environment: DebianProgram.environment.merging(bus.environment) { $1 })
  }

  /// Runs its client, which has to succeed.
  func succeed(_ arguments: String...) async throws {
    let outcome = try await nmcli(arguments)
    guard outcome.status == 0 else { throw NothingCame(description: "nmcli \(arguments): \(outcome.complaints)") }
  }

  /// Makes a connection over the cable, and brings it up.
  func connect(metered: String, method: [String]) async throws {
    let outcome = try await nmcli(
      ["connection", "add", "type", "ethernet", "ifname", "eth0", "con-name", "cable", "ipv6.method", "disabled"]
        + method + ["connection.metered", metered])
    guard outcome.status == 0 else { throw NothingCame(description: "nmcli: \(outcome.complaints)") }
    try await succeed("connection", "up", "cable")
  }

  static let manual = ["ipv4.method", "manual", "ipv4.addresses", "192.0.2.2/24", "ipv4.gateway", "192.0.2.1"]
  static let automatic = ["ipv4.method", "auto"]

  /// Sets the user's value for the cost of the connection.
  func setMetered(_ word: String) async throws {
    try await succeed("connection", "modify", "cable", "connection.metered", word)
    try await succeed("device", "reapply", "eth0")
  }
}
