import Foundation
import FoundationNetworking
import ProcessTestSupport

/// An HTTP server in a process of its own, which the server of `ConnectivityTesting` is not: it can live in another
/// network namespace, at the far end of a cable. Each fault has a path. It prints its port, then the fate of its
/// connections: `begun PATH`, and `gone PATH` when the client has closed one that waits.
struct FarServer: Sendable {
  let program: RunningProgram
  let port: Int

  /// Starts it.
  ///
  /// - Parameters:
  ///   - address: Where it listens.
  ///   - namespace: The network namespace it lives in.
  init(at address: String = "127.0.0.1", namespace: String? = nil) async throws {
    program = try RunningProgram(["python3", "-u", "-c", Self.script, address], namespace: namespace)
    port = try await program.output.wait(for: "the port") { $0.first.flatMap { Int($0) } }
  }

  /// The URL of a fault on this machine.
  func url(_ path: String, host: String = "127.0.0.1") -> URL {
    var components = URLComponents()
    (components.scheme, components.host, components.port, components.path) = ("http", host, port, path)
    return components.url ?? URL(fileURLWithPath: path)
  }

  /// The URL of an answer.
  ///
  /// - Parameters:
  ///   - kind: `answer`; `third`, which the first two requests of each three do not get; `elsewhere`, to which the
  ///     server redirects by another name of its host.
  ///   - retryAfter: The value of `Retry-After`. The answer is then dated 21 October 2015, 07:28:00.
  func url(
    _ kind: String = "answer", status: Int = 200, type: String = "application/json", retryAfter: String = "",
    body: String
  ) -> URL {
    let words = ["\(status)", type, retryAfter, body].map {
      $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
    return URL(string: "http://127.0.0.1:\(port)/\(kind)?" + words.joined(separator: "&")) ?? url("/")
  }

  /// How often it has said something.
  func count(of line: String) -> Int { program.output.lines.count { $0 == line } }

  /// The paths of all requests that have begun until now.
  ///
  /// What it says is read after its answers. A request for a path of its own marks the end.
  func requests() async throws -> [String] {
    let mark = "/mark-\(UUID())"
    _ = try? await URLSession.shared.data(from: url(mark))
    try await wait(for: "begun " + mark)
    let paths = program.output.lines.filter { $0.hasPrefix("begun ") }.map { String($0.dropFirst("begun ".count)) }
    return paths.filter { !$0.hasPrefix("/mark-") }
  }

  /// Waits until it has said something, so often.
  func wait(for line: String, times: Int = 1) async throws {
    _ = try await program.output.wait(for: line) { $0.count { $0 == line } >= times ? true : nil }
  }

  private static let script = """
    import os, socket, struct, sys, threading, time, urllib.parse

    def print(line):
        # One write: lines of several threads do not get into each other.
        os.write(1, ("%s\\n" % line).encode())

    family = socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((sys.argv[1], 0))
    listener.listen(128)
    print(listener.getsockname()[1])

    def head(status, *lines):
        return ("HTTP/1.1 " + status + "\\r\\n" + "".join(l + "\\r\\n" for l in lines) + "\\r\\n").encode()

    def reset(c):
        c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        c.close()

    def until_gone(c, path):
        try:
            while c.recv(65536): pass
        except OSError: pass
        print("gone " + path)

    def answer(c):
        data = b""
        while b"\\r\\n\\r\\n" not in data:
            more = c.recv(65536)
            if not more: return
            data += more
        first, _, rest = data.partition(b"\\r\\n\\r\\n")
        path = first.split()[1].decode()
        lines = first.decode().lower().split("\\r\\n")
        length = next((int(l.split(":")[1]) for l in lines if l.startswith("content-length")), 0)
        if "expect: 100-continue" in lines: c.sendall(b"HTTP/1.1 100 Continue\\r\\n\\r\\n")
        print("begun " + path)
        if path == "/silent": return until_gone(c, path)
        while len(rest) < length:
            rest += c.recv(65536)
        if path == "/ok": c.sendall(head("200 OK", "Content-Length: 2", "Connection: close") + b"ok")
        elif path == "/echo": c.sendall(head("200 OK", "Content-Length: %d" % len(rest), "Connection: close") + rest)
        elif path.startswith("/answer?"): answer_as(c, path)
        elif path.startswith("/third?"):
            with lock: thirds[path] = thirds.get(path, 0) + 1
            answer_as(c, path if thirds[path] % 3 == 0 else "/answer?503&text/plain&17&later")
        elif path.startswith("/elsewhere?"):
            place = "http://localhost:%d/answer?%s" % (listener.getsockname()[1], path.partition("?")[2])
            c.sendall(head("302 Found", "Location: " + place, "Content-Length: 0", "Connection: close"))
        elif path == "/missing": c.sendall(head("404 Not Found", "Content-Length: 4", "Connection: close") + b"none")
        elif path == "/who": c.sendall(head("401 Unauthorized", "Content-Length: 3", "Connection: close") + b"who")
        elif path == "/half":
            c.sendall(head("200 OK", "Content-Length: 1000") + b"half")
            return until_gone(c, path)
        elif path == "/drip":
            c.sendall(head("200 OK", "Content-Length: 1000000"))
            try:
                while True:
                    c.sendall(b"x" * 100)
                    print("drop")
                    time.sleep(0.05)
            except OSError: print("gone " + path)
        elif path == "/truncated": c.sendall(head("200 OK", "Content-Length: 1000") + b"abc")
        elif path == "/chunks": c.sendall(head("200 OK", "Transfer-Encoding: chunked") + b"zz\\r\\n")
        elif path == "/gzip": c.sendall(head("200 OK", "Content-Encoding: gzip", "Content-Length: 5") + b"abcde")
        elif path == "/garbage": c.sendall(b"220 mail.example.org\\r\\n")
        elif path == "/loop": c.sendall(head("302 Found", "Location: /loop", "Content-Length: 0", "Connection: close"))
        elif path == "/away": c.sendall(head("302 Found", "Location: http://nowhere.invalid/", "Content-Length: 0", "Connection: close"))
        elif path == "/moved": c.sendall(head("302 Found", "Location: http://localhost:%d/head" % listener.getsockname()[1], "Content-Length: 0", "Connection: close"))
        elif path == "/cookie": c.sendall(head("302 Found", "Location: /head", "Set-Cookie: name=value", "Content-Length: 0", "Connection: close"))
        elif path == "/head": c.sendall(head("200 OK", "Content-Length: %d" % len(first), "Connection: close") + first)
        elif path == "/login" and any(l.startswith("authorization: basic ") for l in lines): c.sendall(head("200 OK", "Content-Length: 2", "Connection: close") + b"in")
        elif path == "/login": c.sendall(head("401 Unauthorized", "WWW-Authenticate: Basic realm=x", "Content-Length: 3", "Connection: close") + b"who")
        elif path == "/reset": return reset(c)
        elif path == "/resets": c.sendall(head("200 OK", "Content-Length: 1000") + b"abc"); time.sleep(0.1); return reset(c)
        elif path == "/empty": pass
        c.close()

    thirds, lock = {}, threading.Lock()

    def answer_as(c, path):
        # /answer?STATUS&TYPE&RETRY-AFTER&BODY
        status, kind, after, body = [urllib.parse.unquote(w) for w in path.partition("?")[2].split("&")]
        lines = ["Content-Type: " + kind] if kind else []
        if after: lines += ["Retry-After: " + after, "Date: Wed, 21 Oct 2015 07:28:00 GMT"]
        body = body.encode()
        c.sendall(head(status + " Status", "Content-Length: %d" % len(body), "Connection: close", *lines) + body)

    def guarded(c):
        try: answer(c)
        except OSError: pass

    while True:
        c, _ = listener.accept()
        threading.Thread(target=guarded, args=(c,), daemon=True).start()
    """
}
