import KernelTestSupport
import PathDecisions
import PathModel
import ProcessTestSupport
import Testing

@testable import KernelPath

@Suite("Filters for lists of connections")
struct ConnectionFilterTests {
  private static func addresses(_ count: Int) -> Set<IPAddress> {
    Set(
      (0..<count).map {
        $0 % 2 == 0 ? IPAddress(ipv4: 0x0a00_0000 + UInt32($0)) : IPAddress(ipv6: 0x2001_0db8_0000_0000, UInt64($0))
      })
  }

  @Test func `a filter that is too long is no program`() {
    #expect(ConnectionFilter.from(Self.addresses(257)).program == nil)
  }

  @Test(.enabled(if: isRoot, Comment(rawValue: needsRoot)))
  func `the kernel takes each program, and lists the connections that pass`() async throws {
    try await TestNamespace.run { namespace in
      let addresses = ["10.0.0.0", "10.0.0.2", "192.0.2.7", "2001:db8::1", "2001:db8::9"]
      for address in addresses { try namespace.ip("address add \(address) dev lo") }
      let program = try RunningProgram(["python3", "-u", "-c", Self.connecting], namespace: namespace.near)
      while program.output.lines.isEmpty, program.isRunning {}
      let table = try ConnectionTable()
      let all = try table.connections()
      #expect(Set(all.map(\.local.address.description)) == Set(addresses) && all.count == 10)
      for count in [0, 1, 2, 3, 255, 256, 300] {
        let known = Self.addresses(count)
        for filter in [ConnectionFilter.from(known), .notFrom(known)] {
          let passing = Set(try table.connections(filter).map(\.cookie))
          #expect(passing == Set(filter.passing(all).map(\.cookie)), "\(count)")
        }
        let isKnown = all.filter { known.contains($0.local.address) }.count
        #expect(isKnown == [0: 0, 1: 2, 2: 4, 3: 6][count] ?? 8)
      }
      program.kill()
    }
  }

  /// Makes a connection from each address to itself.
  private static let connecting = """
    import socket, time
    held = []
    for address in "10.0.0.0", "10.0.0.2", "192.0.2.7", "2001:db8::1", "2001:db8::9":
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        server = socket.create_server((address, 7000), family=family)
        client = socket.socket(family)
        client.bind((address, 0))
        client.connect((address, 7000))
        held.append((server, client, server.accept()))
    print("ready")
    time.sleep(1000)
    """
}
