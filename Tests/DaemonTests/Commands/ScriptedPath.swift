import Foundation
import Glibc
import ProcessTestSupport
import Testing

/// A service whose path changes when the test says so, without settling.
struct ScriptedPath: Sendable {
  let socket: String
  private let service: RunningProgram
  let directory: ScratchDirectory

  /// Starts it and waits until it listens.
  init(isSatisfied: Bool = true) async throws {
    directory = try ScratchDirectory()
    socket = directory("socket")
    service = try RunningProgram(["python3", "-u", "-c", Self.script, socket, isSatisfied ? "1" : "0"])
    _ = try await service.output.wait(lines: 1)
  }

  /// Sends a change of the path to all subscribers, and returns when it was sent.
  func become(satisfied isSatisfied: Bool) async throws {
    let count = service.output.lines.count
    service.send(isSatisfied ? SIGUSR1 : SIGUSR2)
    _ = try await service.output.wait(lines: count + 1)
  }

  /// Sends a satisfied path with these members in JSON to all subscribers, and returns when it was sent.
  func become(_ members: String) async throws {
    let count = service.output.lines.count
    try directory.write("socket.members", members)
    service.send(SIGHUP)
    _ = try await service.output.wait(lines: count + 1)
  }

  /// Starts `pathctl` with its socket.
  func start(_ words: [String], environment: [String: String?] = [:]) throws -> RunningProgram {
    try RunningProgram(
      [RunningProgram.pathctl] + words, environment: environment.merging(["PATHMONITOR_SOCKET": socket]) { $1 })
  }

  /// Starts `pathctl run connected` with a script for sh(1).
  func run(_ options: String..., script: String) throws -> RunningProgram {
    try start(["run", "connected"] + options + ["--", "sh", "-c", script])
  }

  /// Adds a program for the shell to the directory of hooks.
  func addHook(_ name: String, _ script: String, mode: UInt32 = 0o755) async throws {
    try FileManager.default.createDirectory(
      atPath: directory("hooks"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    try await directory.writeProgram("hooks/\(name)", "#!/bin/sh\n\(script)\n", mode: mode)
  }

  /// Starts `pathctl hooks` with the directory of hooks.
  func startHooks(_ options: String...) throws -> RunningProgram {
    try start(["hooks", "--directory", directory("hooks")] + options)
  }

  private static let script = """
    import json, os, select, signal, socket, sys
    state, members, sequence, clients = sys.argv[2] == "1", {}, 0, []
    waker, wakened = socket.socketpair()
    for end in (waker, wakened):
        end.setblocking(False)
    signal.set_wakeup_fd(wakened.fileno())
    for number in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(sys.argv[1])
    listener.listen(16)
    print("ready")
    def tell(client):
        path = {"status": "satisfied" if state else "unsatisfied", "knowledge": "known", "interfaces": [],
                "unsatisfiedReason": None if state else "noRoute", "sequence": sequence,
                "changed": ["status"] if sequence else []}
        path.update(members if state else {})
        client.sendall(json.dumps({"continues": True, "parameters": {"path": path}}).encode() + b"\\0")
    while True:
        for ready in select.select([listener, waker] + clients, [], [])[0]:
            if ready is listener:
                clients.append(listener.accept()[0])
            elif ready is waker:
                for number in waker.recv(64):
                    state, sequence = number != signal.SIGUSR2, sequence + 1
                    if number == signal.SIGHUP:
                        members = json.load(open(sys.argv[1] + ".members"))
                    for client in clients:
                        tell(client)
                    print(sequence)
            elif ready.recv(65536):
                tell(ready)
            else:
                clients.remove(ready)
    """
}

/// The processes in /proc.
enum ProcessTable {
  /// The name of a process and its state as in proc(5), such as `T` for one that is stopped; `nil` when there is none.
  private static func look(at process: Int32) -> (name: Substring, state: Character)? {
    guard let file = unsafe fopen("/proc/\(process)/stat", "re") else { return nil }
    defer { unsafe fclose(file) }
    var line = [CChar](repeating: 0, count: 1_024)
    guard unsafe fgets(&line, 1_024, file) != nil else { return nil }
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // The name is in parentheses, and may contain some.
    guard let first = text.firstIndex(of: "("), let last = text.lastIndex(of: ")"),
      let state = text[last...].dropFirst(2).first
    else { return nil }
    return (text[first..<last].dropFirst(), state)
  }

  /// Waits until the process is in one of the states.
  static func wait(for states: String, of process: Int32) async throws {
    try await wait(for: "\(process) to be in one of the states \(states)") {
      look(at: process).map { states.contains($0.state) } ?? false
    }
  }

  /// Whether there is such a process, or a zombie of it.
  static func isThere(_ process: Int32) -> Bool { look(at: process) != nil }

  /// Waits until the process has executed a program. A shell that is about to execute one may lose SIGINT.
  static func wait(forProgram name: String, as process: Int32) async throws {
    try await wait(for: "\(process) to be \(name)") { look(at: process)?.name == name[...] }
  }

  /// Waits until there is no such process, nor a zombie of it.
  static func wait(forEndOf process: Int32) async throws {
    try await wait(for: "the end of \(process)") { look(at: process) == nil }
  }

  /// Polls, as the system does not report changes of other processes.
  private static func wait(for what: String, _ isSo: () -> Bool) async throws {
    let deadline = ContinuousClock.now.advanced(by: .seconds(10))
    while !isSo() {
      guard ContinuousClock.now < deadline else { throw NothingCame(description: "waited in vain for \(what)") }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Whether a process group has no members, zombies included.
  static func isEmpty(group: Int32) -> Bool { kill(-group, 0) == -1 && errno == ESRCH }
}

extension LineLog {
  /// Waits for the next line that has a word before a number, and returns the number.
  func number(after word: String, skipping count: Int = 0) async throws -> Int32 {
    try await wait(for: "'\(word) NUMBER'") { lines in
      let numbers = lines.compactMap { line -> Int32? in
        let words = line.split(separator: " ")
        return words.count == 2 && words[0] == word ? Int32(words[1]) : nil
      }
      return numbers.count > count ? numbers[count] : nil
    }
  }
}
