internal import CLinux
internal import Glibc

/// Starts programs, each in a process group of its own. A program gets the signal mask that this process had before it
/// began to watch signals, so the launcher must be made first.
package struct ProgramLauncher: Sendable {
  private let mask: sigset_t

  /// The standard input of a program.
  package enum Input: Hashable, Sendable {
    /// The standard input of this process.
    case inherited
    /// The null device.
    case none
  }

  /// A launcher with the present signal mask.
  package init() throws(SystemError) {
    var mask = sigset_t()
    let failure = unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
    guard failure == 0 else { throw SystemError("read the signal mask", errorNumber: failure) }
    self.mask = mask
  }

  /// Starts a program, which is searched for in PATH unless its name has a slash.
  ///
  /// - Parameters:
  ///   - words: The program and its arguments, each with the NUL at its end.
  ///   - variables: The variables to add to the environment, or to replace there.
  ///   - output: The descriptor that becomes the standard output; `nil` for that of this process.
  ///   - terminal: The terminal that gets the new group as its foreground group; `nil` for no change.
  /// - Throws: ``SystemError`` with the errno of the failed call, usually execve(2).
  package func start(
    _ words: [[CChar]], adding variables: [(name: String, value: String)] = [], input: Input = .inherited,
    output: Int32? = nil, inForegroundOf terminal: ControllingTerminal? = nil
  ) throws(SystemError) -> ProcessGroup {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    if input == .none { unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) }
    if let output { unsafe posix_spawn_file_actions_adddup2(&actions, output, 1) }
    // The child takes the foreground before it executes the program, so the program never runs in the background.
    if let terminal { unsafe clinux_spawn_in_foreground(&actions, terminal.number) }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var mask = mask
    unsafe posix_spawnattr_setsigmask(&attributes, &mask)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    var process: pid_t = 0
    let failure = unsafe Self.withArguments(words) { arguments in
      unsafe Self.withEnvironment(adding: variables) { environment in
        guard let program = unsafe arguments[0] else { return EINVAL }
        return unsafe posix_spawnp(&process, program, &actions, &attributes, arguments, environment)
      }
    }
    guard failure == 0 else { throw SystemError("start a program", errorNumber: failure) }
    return ProcessGroup(number: process)
  }

  private typealias Pointers = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  private static func withArguments(_ words: [[CChar]], _ body: (Pointers) -> Int32) -> Int32 {
    var pointers: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { for index in 0..<words.count { unsafe free(pointers[index]) } }
    return unsafe pointers.withUnsafeMutableBufferPointer { buffer in
      guard let first = buffer.baseAddress else { return EINVAL }
      return unsafe body(first)
    }
  }

  /// The environment of this process, byte by byte, with the added and replaced variables.
  private static func withEnvironment(
    adding variables: [(name: String, value: String)], _ body: (Pointers) -> Int32
  ) -> Int32 {
    if variables.isEmpty { return unsafe body(environ) }
    let replaced = variables.map { Array("\($0.name)=".utf8CString.dropLast()) }
    var pointers: [UnsafeMutablePointer<CChar>?] = unsafe variables.map { unsafe strdup("\($0.name)=\($0.value)") }
    let added = unsafe pointers.count
    var next = unsafe environ
    while let entry = unsafe next.pointee {
      if !replaced.contains(where: { unsafe strncmp(entry, $0, $0.count) == 0 }) { unsafe pointers.append(entry) }
      unsafe next += 1
    }
    unsafe pointers.append(nil)
    defer { for index in 0..<added { unsafe free(pointers[index]) } }
    return unsafe pointers.withUnsafeMutableBufferPointer { buffer in
      guard let first = buffer.baseAddress else { return EINVAL }
      return unsafe body(first)
    }
  }
}
