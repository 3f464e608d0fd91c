internal import Foundation

/// Small programs in Python for the other side of a socket.
package enum Python {
  /// Receives datagrams at a Unix socket, `@` for an abstract one, and prints each as a line of JSON; first `ready`.
  package static func datagrams(at path: String) throws -> RunningProgram {
    try RunningProgram(["python3", "-u", "-c", receiver, path])
  }

  private static let receiver = """
    import json, socket, sys
    path = sys.argv[1]
    s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    s.bind("\\0" + path[1:] if path[0] == "@" else path)
    print("ready")
    while True:
        print(json.dumps(s.recv(1 << 16).decode()))
    """

  /// A service that answers each call with the next of the scripted replies: JSON objects, or arrays of them that are
  /// sent in one piece. `"close"` ends the connection, `"silence"` answers nothing; other strings are sent as they are.
  /// The last reply is repeated. Prints `ready`, then each call.
  package static func service(at path: String, _ replies: [String]) throws -> RunningProgram {
    try RunningProgram(["python3", "-u", "-c", scripted, path] + replies)
  }

  private static let scripted = """
    import json, socket, sys
    path, replies = sys.argv[1], [json.loads(text) for text in sys.argv[2:]]
    s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    s.bind(path)
    s.listen(64)
    print("ready")
    held = []
    while True:
        c, _ = s.accept()
        held.append(c)
        rest = b""
        while True:
            data = c.recv(65536)
            if not data:
                break
            *calls, rest = (rest + data).split(b"\\0")
            for call in calls:
                print(call.decode())
                reply = replies.pop(0) if len(replies) > 1 else replies[0]
                if reply == "close":
                    c.close()
                elif reply == "silence":
                    pass
                elif isinstance(reply, str):
                    c.sendall(reply.encode())
                else:
                    many = reply if isinstance(reply, list) else [reply]
                    c.sendall(b"".join(json.dumps(one).encode() + b"\\0" for one in many))
            if c.fileno() < 0:
                break
    """

  /// Runs a script to its end.
  package static func run(
    _ script: String, _ arguments: String..., namespace: String? = nil, environment: [String: String?] = [:]
  ) async throws -> RunningProgram.Outcome {
    try await RunningProgram.run(
      ["python3", "-u", "-c", script] + arguments, environment: environment, namespace: namespace,
      within: .seconds(120))
  }

  /// Runs a program to its end where socket(2) refuses netlink with EAFNOSUPPORT, as systemd's
  /// `RestrictAddressFamilies=` has it.
  package static func runWithoutNetlink(_ words: [String]) async throws -> RunningProgram.Outcome {
    try await RunningProgram.run(["python3", "-u", "-c", refusing] + words, within: .seconds(120))
  }

  private static let refusing = """
    import ctypes, os, platform, struct, sys
    libc = ctypes.CDLL(None, use_errno=True)
    socket_call = {"x86_64": 41, "aarch64": 198}[platform.machine()]
    instruction = lambda code, jt, jf, k: struct.pack("HBBI", code, jt, jf, k)
    program = b"".join([
        instruction(0x20, 0, 0, 0), instruction(0x15, 0, 3, socket_call),
        instruction(0x20, 0, 0, 16), instruction(0x15, 0, 1, 16),
        instruction(0x06, 0, 0, 0x00050000 | 97), instruction(0x06, 0, 0, 0x7fff0000)])
    code = ctypes.create_string_buffer(program)
    header = struct.pack("HxxxxxxP", 6, ctypes.addressof(code))
    assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, header, 0, 0) == 0
    os.execv(sys.argv[1], sys.argv[1:])
    """
}
