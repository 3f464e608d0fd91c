import Foundation
import ProcessTestSupport

/// A DHCP server (RFC 2131) for the far end of a cable. It leases 192.0.2.10 to every client, with renewal after a few
/// seconds, and sends a given text in option 43. A client that asks for option 114 gets the address of a portal.
struct DHCPServer: Sendable {
  private let program: RunningProgram
  private let directory: ScratchDirectory

  /// Starts it, and waits until it listens.
  init(on network: TestNetwork) async throws {
    directory = try ScratchDirectory()
    try directory.write("vendor-information", "")
    try await network.ipFar("address add 192.0.2.1/24 dev eth0")
    program = try RunningProgram(
      ["python3", "-u", "-c", Self.script, directory("vendor-information")], namespace: network.far)
    try await program.output.wait(lineWith: "ready")
  }

  /// Sets the text of option 43, from the next answer on.
  func say(_ vendorInformation: String) throws { try directory.write("vendor-information", vendorInformation) }

  func stop() async throws { try await program.killAndWait() }

  /// The address of the portal.
  static let portal = "https://portal.example/api"

  private static let script = """
    import socket, struct, sys
    address = socket.inet_aton
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, b"eth0")
    s.bind(("", 67))
    print("ready")
    while True:
        packet, _ = s.recvfrom(2048)
        options, rest = {}, packet[240:]
        while rest and rest[0] != 255:
            if rest[0] == 0:
                rest = rest[1:]
                continue
            options[rest[0]] = rest[2:2 + rest[1]]
            rest = rest[2 + rest[1]:]
        kind = {b"\\x01": 2, b"\\x03": 5}.get(options.get(53))
        if kind is None:
            continue
        answer = {
            53: bytes([kind]), 54: address("192.0.2.1"), 1: address("255.255.255.0"), 3: address("192.0.2.1"),
            6: address("192.0.2.53"), 51: struct.pack(">I", 60), 58: struct.pack(">I", 3), 59: struct.pack(">I", 50),
        }
        with open(sys.argv[1], "rb") as file:
            vendor = file.read()
        if vendor:
            answer[43] = vendor
        if 114 in options.get(55, b""):
            answer[114] = b"\(portal)"
        fixed = (b"\\x02" + packet[1:12] + packet[12:16] + address("192.0.2.10") + address("192.0.2.1")
                 + packet[24:28] + packet[28:44] + bytes(192) + b"\\x63\\x82\\x53\\x63")
        coded = b"".join(bytes([code, len(value)]) + value for code, value in answer.items())
        # To everybody, as long as the client has no address.
        client = socket.inet_ntoa(packet[12:16])
        s.sendto(fixed + coded + b"\\xff", ("255.255.255.255" if client == "0.0.0.0" else client, 68))
    """
}
