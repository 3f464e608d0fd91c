internal import CProcessTestSupport
internal import Foundation
internal import Glibc
internal import Synchronization

/// A process that a test has started, and the descriptors that its output comes from.
///
/// Every test starts its processes with this type. Foundation's `Process` notices the end of a process by a socket.
/// Another process that starts at the same time would hold that socket open and delay the notice until its own end.
package struct Spawned: Sendable {
  package var process: Int32
  /// The descriptor of its standard output.
  package var output: Int32
  /// The descriptor of its standard error.
  package var complaints: Int32

  private static let lock = Mutex(())

  /// Starts a program with no signal blocked or ignored, and no descriptor but the standard ones.
  ///
  /// - Parameters:
  ///   - words: The program, found in PATH, and its arguments.
  ///   - input: The text of its standard input.
  package init(_ words: [String], input: String? = nil) throws {
    // One at a time, as no other program may hold our pipes open.
    self = try Self.lock.withLock { _ in try Self(startingAlone: words, input: input) }
  }

  private init(startingAlone words: [String], input: String?) throws {
    let source = try input.map(Self.file(with:))
    defer { if let source { close(source) } }
    let (output, complaints) = (try Self.pipe(), try Self.pipe())
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    if let source {
      unsafe posix_spawn_file_actions_adddup2(&actions, source, 0)
    } else {
      unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    unsafe posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, complaints.writing, 2)
    unsafe cprocess_close_from(&actions, 3)
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
    guard result == 0 else {
      for descriptor in [output.reading, complaints.reading] { close(descriptor) }
      throw NothingCame(description: "cannot start \(words): \(result)")
    }
    (self.process, self.output, self.complaints) = (process, output.reading, complaints.reading)
  }

  /// A descriptor that reads the text, from a file without a name.
  private static func file(with text: String) throws -> Int32 {
    let path = FileManager.default.temporaryDirectory.appending(path: "pmtest-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw NothingCame(description: "cannot open \(path): \(errno)") }
    return descriptor
  }

  private static func pipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard unsafe Glibc.pipe(&ends) == 0 else { throw NothingCame(description: "there is no pipe left") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Reads what it prints until it and its children have closed their output, on the thread of the caller.
  func read(output: LineLog, complaints: LineLog) {
    var logs = [self.output: output, self.complaints: complaints]
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

  /// Waits for its end, on the thread of the caller; returns its exit status, which is 128 and the number of the signal
  /// that ended it.
  package func wait() -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) == -1, errno == EINTR {}
    return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
  }

  /// Its exit status if it has ended, as ``wait()`` has it; `nil` while it runs. Not to be asked again after that.
  package func statusIfEnded() -> Int32? {
    var status: Int32 = 0
    guard unsafe waitpid(process, &status, WNOHANG) == process else { return nil }
    return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
  }
}
