import Glibc
import PathModel
import ProcessTestSupport
import Testing

/// The advice is tried out: in each broken network, the commands that `pathctl` advises are run as they stand.
@Suite("Effects of advised commands", .enabled(if: mayMakeNamespaces, "needs root to make network namespaces"))
struct AdviceEffectTests {
  @Test(arguments: DiagnosisCase.chosen.filter { $0.override == nil })
  func `an advised command takes nothing away that works`(_ diagnosisCase: DiagnosisCase) async throws {
    let network = BrokenNetwork(diagnosisCase, "pmadvice")
    do {
      try await network.make()
      for advice in try await Self.advices(diagnosisCase, network) {
        for command in Self.changingCommands(in: advice) {
          let before = try await Reach.measured(in: network.namespace)
          for line in try await Self.filledIn(command, network) { try await Self.run(line, network) }
          let lost = before.destinations.subtracting(try await Reach.measured(in: network.namespace).destinations)
          #expect(lost.isEmpty, "'\(command)' takes these away: \(lost.sorted())")
        }
      }
    } catch {
      Issue.record(error)
    }
    try await network.remove()
  }

  @Test func `a command that takes a working part away is noticed`() async throws {
    let healthy = try #require(DiagnosisCase.all.first { $0.name == "healthy" })
    let network = BrokenNetwork(healthy, "pmharm")
    do {
      try await network.make()
      let before = try await Reach.measured(in: network.namespace).destinations
      #expect(before.isSuperset(of: ["17.253.0.1", "17.253.0.1 over eth0", "192.0.2.1"]))
      try await Self.run("ip link add br0 type bridge", network)
      try await Self.run("ip link set eth0 master br0", network)
      let after = try await Reach.measured(in: network.namespace).destinations
      #expect(after.isDisjoint(with: ["17.253.0.1", "17.253.0.1 over eth0", "192.0.2.1"]))
    } catch {
      Issue.record(error)
    }
    try await network.remove()
  }

  @Test func `the commands of an advice are found, and those that only show are left out`() {
    let words = "Is it so? 'ip route add default via ROUTER dev eth0' adds one. 'ip route' lists: nothing"
    #expect(Self.changingCommands(in: words) == ["ip route add default via ROUTER dev eth0"])
    #expect(
      Self.changingCommands(in: "Add it: ip link set CARD down; ip link set CARD master b0")
        == ["ip link set CARD down", "ip link set CARD master b0"])
    #expect(Self.changingCommands(in: "'sysctl net.ipv4.a=1' (for IPv6 net.ipv6)").count == 2)
  }

  /// The commands in an advice that change the machine, with `CARD` and `ROUTER` as in the advice.
  private static func changingCommands(in advice: String) -> [String] {
    let parts = advice.split(separator: "'", omittingEmptySubsequences: false)
    // A command is quoted, or stands behind a colon.
    let texts = parts.enumerated().flatMap { position, part -> [Substring] in
      position % 2 == 1 ? [part] : part.split(separator: ":").dropFirst().last?.split(separator: ";") ?? []
    }
    let commands = texts.map { String($0.drop { $0 == " " }) }.filter { text in
      ["ip link set ", "ip route add ", "ip rule add ", "sysctl "].contains { text.hasPrefix($0) }
    }
    // "(for IPv6 net.ipv6.conf.all)" stands behind the command for IPv4.
    return commands + commands.filter { $0.contains("net.ipv4.") }.map { $0.replacing("net.ipv4.", with: "net.ipv6.") }
  }

  private static func advices(_ diagnosisCase: DiagnosisCase, _ network: BrokenNetwork) async throws -> [String] {
    let host = diagnosisCase.host.map { [$0] } ?? []
    let outcome = try await RunningProgram.run(
      [RunningProgram.pathctl, "explain", "--json", "--direct"] + host + diagnosisCase.options,
      namespace: network.namespace)
    let object = try #require(try JSONValue(parsing: Array(outcome.output.utf8)).objectValue)
    let causes = [object["diagnosis"] ?? .null] + (object["furtherDiagnoses"]?.arrayValue ?? [])
    return causes.compactMap { $0.objectValue?["advice"]?.stringValue }
  }

  /// The command for each card without an address, or with the first address of the interface's network as the router.
  private static func filledIn(_ command: String, _ network: BrokenNetwork) async throws -> [String] {
    if command.contains("CARD") {
      let cards = "ip -n $NS -br address | awk '$3 == \"\" && $1 != \"lo\" { sub(\"@.*\", \"\", $1); print $1 }'"
      let names = try await network.shell(cards).output.split(separator: "\n")
      return names.map { command.replacing("CARD", with: $0) }
    }
    guard command.contains("ROUTER") else { return [command] }
    let router = try await Python.run(
      """
      import ipaddress, json, subprocess, sys
      links = json.loads(subprocess.run(["ip", "-j", "address"], stdout=subprocess.PIPE).stdout)
      for link in links:
          for address in link["addr_info"] if link["ifname"] in sys.argv[1].split() else []:
              a = ipaddress.ip_interface(address["local"] + "/" + str(address["prefixlen"]))
              if not a.is_link_local:
                  print(a.network[1] if a.network.num_addresses > 1 else a.ip + 1)
                  sys.exit()
      """, command, namespace: network.namespace
    ).output.filter { !$0.isWhitespace }
    #expect(!router.isEmpty, "'\(command)' is advised for an interface without an address")
    return [command.replacing("ROUTER", with: router)]
  }

  private static func run(_ line: String, _ network: BrokenNetwork) async throws {
    let outcome = try await network.shell("ip netns exec $NS \(line)")
    #expect(outcome.status == 0, "'\(line)' failed: \(outcome.complaints)")
  }
}
