internal import Glibc

/// The output of a program that has ended, and its end.
package struct ProgramOutput: Hashable, Sendable {
  /// The bytes of its standard output.
  package var bytes: [UInt8]
  /// Its end.
  package var ending: ChildProcesses.Ending

  /// Runs a program to its end, without input. It prints its complaints where this process does.
  ///
  /// A program that takes or prints too much is killed with its process group.
  ///
  /// - Parameters:
  ///   - words: The program, searched for in PATH unless its name has a slash, and its arguments.
  ///   - limit: The most bytes to read.
  /// - Throws: ``SystemError``; ETIMEDOUT when the deadline has passed, EMSGSIZE for more bytes than the limit.
  package init(of words: [String], limit: Int, until deadline: MonotonicInstant) throws(SystemError) {
    var ends: [Int32] = [0, 0]
    try systemCall("make a pipe") { unsafe pipe(&ends) }
    // The program has a duplicate of one end as its standard output, and neither of these.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let reading = OwnedDescriptor(owning: ends[0])
    let group = try Self.start(words, writingTo: OwnedDescriptor(owning: ends[1]))
    do throws(SystemError) {
      bytes = try Self.read(from: reading.number, limit: limit, until: deadline)
    } catch {
      try? group.send(SIGKILL)
      // The program may have left its group. Its number is its own until its end is waited for.
      _ = kill(group.number, SIGKILL)
      _ = try? Self.waitForEnd(of: group.number)
      throw error
    }
    ending = try Self.waitForEnd(of: group.number)
  }

  /// Starts the program. Its standard output is a duplicate of the descriptor, which is closed here.
  private static func start(
    _ words: [String], writingTo output: consuming OwnedDescriptor
  ) throws(SystemError) -> ProcessGroup {
    try ProgramLauncher().start(words.map { Array($0.utf8CString) }, input: .none, output: output.number)
  }

  private static func read(
    from descriptor: Int32, limit: Int, until deadline: MonotonicInstant
  ) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while let next = try Input.read(from: descriptor, until: deadline) {
      if next.isEmpty { return bytes }
      bytes += next
      guard bytes.count <= limit else { throw SystemError("read the output of a program", errorNumber: EMSGSIZE) }
    }
    throw SystemError("wait for a program", errorNumber: ETIMEDOUT)
  }

  private static func waitForEnd(of process: Int32) throws(SystemError) -> ChildProcesses.Ending {
    var status: Int32 = 0
    try systemCall("wait for a program") { unsafe waitpid(process, &status, 0) }
    // The low seven bits are the signal, and the second byte the exit status (wait(2)).
    let signal = status & 0x7f
    return signal == 0 ? .exited(status >> 8 & 0xff) : .killed(signal: signal)
  }
}
