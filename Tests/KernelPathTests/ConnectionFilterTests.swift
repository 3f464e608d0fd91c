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

  /// Runs a program as the kernel does (`inet_diag_bc_run`): whether the connection passes.
  private static func passes(_ address: IPAddress, _ program: [UInt8]) -> Bool {
    var place = 0
    var rest = program.count
    while rest > 0 {
      let (code, yes) = (program[place], Int(program[place + 1]))
      let no = Int(program[place + 2]) | Int(program[place + 3]) << 8
      let length = Int(address.family.bitWidth) / 8
      let isMatch =
        code == 7 && program[place + 4] == address.family.rawValue
        && Array(program[(place + 12)..<(place + 12 + length)])
          == Array(address.socketBytes(of: address.family)[..<length])
      let step = isMatch ? yes : no
      (place, rest) = (place + step, rest - step)
    }
    return rest == 0
  }

  @Test(arguments: [0, 1, 2, 3, 255, 256])
  func `the program passes the same connections as the filter`(count: Int) throws {
    let known = Self.addresses(count)
    for filter in [ConnectionFilter.from(known), .notFrom(known)] {
      let program = try #require(filter.program)
      #expect(program.count % 4 == 0)
      let connections = Self.addresses(count + 2).map {
        ConnectionFacts(local: .init($0, 1), remote: .init(IPAddress(ipv4: 1), 1))
      }
      #expect(connections.filter { Self.passes($0.local.address, program) } == filter.passing(connections))
    }
  }

  @Test func `a filter that is too long is no program`() {
    #expect(ConnectionFilter.from(Self.addresses(257)).program == nil)
  }

  @Test(.enabled(if: isRoot, Comment(rawValue: needsRoot)))
  func `the kernel takes each program, and lists the connections that pass`() async throws {
    try await TestNamespace.run { namespace in
      for address in ["10.0.0.0", "10.0.0.2", "192.0.2.7"] { try namespace.ip("address add \(address)/32 dev lo") }
      let program = try RunningProgram(["python3", "-u", "-c", Self.connecting], namespace: namespace.near)
      while program.output.lines.isEmpty, program.isRunning {}
      let table = try ConnectionTable()
      let other = IPAddress(ipv4: 0xc000_0207)
      #expect(
        Set(try table.connections().map(\.local.address))
          == Self.addresses(3).filter { $0.family == .ipv4 }.union([other]))
      for count in [0, 3, 256, 300] {
        let known = Self.addresses(count)
        let from = try table.connections(.from(known))
        #expect(from.count == (count == 0 ? 0 : 4) && from.allSatisfy { known.contains($0.local.address) })
        let notFrom = try table.connections(.notFrom(known))
        #expect(notFrom.count == (count == 0 ? 6 : 2) && notFrom.allSatisfy { !known.contains($0.local.address) })
      }
      program.kill()
    }
  }

  /// Makes a connection from each address to itself.
  private static let connecting = """
    import socket, time
    held = []
    for address in "10.0.0.0", "10.0.0.2", "192.0.2.7":
        server = socket.create_server((address, 7000))
        client = socket.socket()
        client.bind((address, 0))
        client.connect((address, 7000))
        held.append((server, client, server.accept()))
    print("ready")
    time.sleep(1000)
    """
}
