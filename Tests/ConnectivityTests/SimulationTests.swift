import Connectivity
import Foundation
import Glibc
import ProcessTestSupport
import Testing

@testable import ConnectivityCore

@Suite("PATHMONITOR_SIMULATE")
struct SimulationTests {
  private func path(_ text: String) throws -> NetworkPath {
    let simulation = try PathSimulation(text)
    #expect(simulation.steps.map(\.time) == [.zero])
    return simulation.steps[0].path
  }

  @Test func `words make a path`() throws {
    #expect(try path("offline").status == .unsatisfied)
    #expect(try path("unknown") == .unknown)
    #expect(try path("online").interfaceType == .wiredEthernet)
    #expect(try path("expensive").isExpensive)
    #expect(try path("expensive").interfaceType == .wiredEthernet)
    #expect(try path("cellular").isExpensive)
    #expect(try path("wifi,constrained,no-dns").interfaceType == .wifi)
    #expect(try path("wifi,constrained,no-dns").isConstrained)
    #expect(try !path("wifi,constrained,no-dns").supportsDNS)
    #expect(try path("vpn").usesTunnel)
    #expect(try !path("no-ipv6").supportsIPv6 && path("no-ipv6").supportsIPv4)
    #expect(try path("online").overrides == ["simulated"])
  }

  @Test(
    "an unknown word is reported with the allowed ones",
    arguments: [
      ("ofline", "'ofline' is not known; allowed: online, offline, unknown"), ("", "'' is not known"),
      ("wifi,", "'' is not known"), ("offline,wifi", "'offline' stands alone"),
      ("wifi,cellular", "one interface carries the traffic"), ("script:/nonexistent/x", "cannot open /nonexistent/x"),
    ])
  func mistakes(_ text: String, _ message: String) {
    let error = #expect(throws: PathSimulation.ParseError.self) { try PathSimulation(text) }
    #expect(error?.description.hasPrefix(message) == true, "\(error as Any)")
  }

  @Test func `a script has times`() throws {
    let steps = try PathSimulation.steps(
      """
      # A train enters a tunnel.
      0s wifi

      1.5s   offline
      2min cellular,constrained
      """)
    #expect(steps.map(\.time) == [.zero, .milliseconds(1_500), .seconds(120)])
    #expect(steps.map(\.path.interfaceType) == [.wifi, nil, .cellular])
  }

  @Test(
    "a mistake in a script is reported with its line",
    arguments: [
      ("0s wifi\n1s", "line 2: a line is a time and a path"), ("5s wifi\n1s offline", "line 2: 1s is before"),
      ("soon wifi", "line 1: 'soon' is not a time span"), ("0s wify", "line 1: 'wify' is not known"),
      ("# nothing\n", "there is no line with a path"),
    ])
  func scriptMistakes(_ text: String, _ message: String) {
    let error = #expect(throws: PathSimulation.ParseError.self) { try PathSimulation.steps(text) }
    #expect(error?.description.hasPrefix(message) == true, "\(error as Any)")
  }

  @Test func `the whole process gets the simulated path, with one note on standard error`() async throws {
    let outcome = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      unsafe setenv("PATHMONITOR_SIMULATE", "cellular,constrained", 1)
      let first = try await PathMonitor().firstPath
      let second = try await PathMonitor(requiredInterfaceType: .cellular, source: .inProcess).firstPath
      precondition(first.interfaceType == .cellular && first.isConstrained)
      precondition(second.interfaceType == .cellular)
    }
    let result = try #require(outcome)
    let notes = String(decoding: result.standardErrorContent, as: UTF8.self).split(separator: "\n")
      .filter { $0.hasPrefix("pathmonitor:") }
    #expect(
      notes == ["pathmonitor: the network path is simulated, as PATHMONITOR_SIMULATE says 'cellular,constrained'"])
  }

  @Test func `a script plays`() async throws {
    let directory = try ScratchDirectory()
    try directory.write("script", "0s wifi\n10ms offline\n20ms cellular\n")
    let simulation = "script:\(directory("script"))"
    await #expect(processExitsWith: .success) { [simulation = simulation as String] in
      unsafe setenv("PATHMONITOR_SIMULATE", simulation, 1)
      for await path in PathMonitor() where path.interfaceType == .cellular { break }
    }
  }

  @Test func `a mistake leads to an unknown path, and to a typed error`() async throws {
    let outcome = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      unsafe setenv("PATHMONITOR_SIMULATE", "ofline", 1)
      let monitor = PathMonitor()
      var iterator = monitor.makeAsyncIterator()
      let first = await iterator.next()
      precondition(first == .unknown)
      precondition(monitor.sourceError?.code == .invalidSimulation)
    }
    let result = try #require(outcome)
    #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("is not understood"))
  }

  // MARK: The guide

  private func guide() throws -> String {
    let page = "Sources/Library/ConnectivityCore/ConnectivityCore.docc/TestingOffline.md"
    return try String(contentsOf: repository.appendingPathComponent(page), encoding: .utf8)
  }

  @Test func `every simulation of the guide is understood`() throws {
    let guide = try guide()
    let values = guide.matches(of: /\nPATHMONITOR_SIMULATE=(\S+)/).map { String($0.1) }
    #expect(values.count == 3)
    for value in values where !value.hasPrefix("script:") { _ = try PathSimulation(value) }
    let script = try #require(guide.firstMatch(of: /\n0s [^`]*/)?.0)
    #expect(try PathSimulation.steps(String(script)).count == 3)
  }

  @Test func `the guide names every word of a simulation`() throws {
    let error = try #require(throws: PathSimulation.ParseError.self) { try PathSimulation("no such word") }
    let allowed = try #require(error.description.components(separatedBy: "allowed: ").last)
    let words = allowed.components(separatedBy: ", ").filter { $0 != "script:FILE" }
    #expect(words.contains("offline"))
    let guide = try guide()
    for word in words { #expect(guide.contains("`\(word)`"), "\(word) is not in the guide") }
  }
}
