import Foundation
import Glibc

/// Runs programs without holding up a thread.
enum Programs {
  /// Runs a line with bash, with `NS` in its environment. Returns its exit status and all it printed.
  ///
  /// Foundation's `Process` would wait for what the line leaves in the background, too.
  @discardableResult
  static func shell(_ line: String, namespace: String) async -> (status: Int32, output: String) {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: runShell(line, namespace)) }
    }
  }

  private static func runShell(_ line: String, _ namespace: String) -> (status: Int32, output: String) {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("pathcase-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 1, file, O_WRONLY | O_CREAT, 0o600)
    unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
    // Foundation tells the end of a process by a socket that any other would hold open.
    for other in 3..<min(1_024, getdtablesize()) { unsafe posix_spawn_file_actions_addclose(&actions, other) }
    let arguments = ["/bin/bash", "-c", "export NS=\(namespace); \(line)"]
    var pointers: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { for index in 0..<arguments.count { unsafe free(pointers[index]) } }
    var child = pid_t()
    guard unsafe posix_spawn(&child, "/bin/bash", &actions, nil, &pointers, environ) == 0 else { return (-1, "") }
    var status: Int32 = 0
    while unsafe waitpid(child, &status, 0) == -1, errno == EINTR {}
    let output = FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return (status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f, output)
  }
}

/// Lets only so many in at once.
actor Gate {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) {
    free = count
  }

  func enter() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
