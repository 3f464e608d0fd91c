internal import Foundation
internal import Glibc
internal import Synchronization

/// A program whose process has started, and what its output comes from.
struct Spawned: Sendable {
  var process: pid_t
  var output: Int32
  var complaints: Int32
}

/// Starts programs, and follows each on a thread of its own.
enum Spawning {
  /// Starts a program with no signal blocked or ignored, and no descriptor but the standard ones.
  static func start(_ words: [String]) throws -> Spawned {
    // One at a time, as no other program may hold our pipes open.
    try lock.withLock { _ in try startAlone(words) }
  }

  private static let lock = Mutex(())

  private static func startAlone(_ words: [String]) throws -> Spawned {
    let (output, complaints) = (try pipe(), try pipe())
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, complaints.writing, 2)
    // Foundation tells the end of a process by a socket that any other would hold open.
    for other in 3..<min(1_024, getdtablesize()) { unsafe posix_spawn_file_actions_addclose(&actions, other) }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var (none, ignored) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&none)
    unsafe sigemptyset(&ignored)
    unsafe sigaddset(&ignored, SIGPIPE)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &ignored)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var pointers: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { for index in 0..<words.count { unsafe free(pointers[index]) } }
    var process = pid_t()
    let result = unsafe posix_spawnp(&process, words[0], &actions, &attributes, &pointers, environ)
    for descriptor in [output.writing, complaints.writing] { close(descriptor) }
    guard result == 0 else { throw NothingCame(description: "cannot start \(words): \(result)") }
    return Spawned(process: process, output: output.reading, complaints: complaints.reading)
  }

  private static func pipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard unsafe Glibc.pipe(&ends) == 0 else { throw NothingCame(description: "there is no pipe left") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Reads what the program prints, and its end.
  static func follow(_ program: Spawned, output: LineLog, complaints: LineLog, ending: LineLog) {
    let thread = Thread {
      read([program.output: output, program.complaints: complaints])
      var status: Int32 = 0
      while unsafe waitpid(program.process, &status, 0) == -1, errno == EINTR {}
      let code = status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
      ending.append(Data("\(code)\n".utf8))
    }
    thread.stackSize = 1 << 20
    thread.start()
  }

  private static func read(_ logs: [Int32: LineLog]) {
    var logs = logs
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while !logs.isEmpty {
      var requests = logs.keys.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard unsafe poll(&requests, UInt(requests.count), -1) > 0 else { continue }
      for request in requests where request.revents != 0 {
        let count = unsafe Glibc.read(request.fd, &buffer, buffer.count)
        if count > 0 {
          logs[request.fd]?.append(Data(buffer[..<count]))
        } else {
          logs.removeValue(forKey: request.fd)?.end()
          close(request.fd)
        }
      }
    }
  }
}
