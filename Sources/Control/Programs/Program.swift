internal import PathModel
internal import SystemIO

/// A program, by the name that begins each of its messages.
package struct Program: Sendable {
  private let name: String

  /// The program with the name.
  package init(_ name: String) {
    self.name = name
  }

  /// Prepares the process for input and output, passes the words of its command line on, and returns the exit status.
  package static func run(_ body: (_ arguments: [String]) -> Int32) -> Int32 {
    do throws(SystemError) {
      try Output.openStandardDescriptors()
    } catch {
      return ExitStatus.unavailable
    }
    Output.failWithoutSignals()
    ChildProcesses.expectReports()
    return body(OwnArguments.words)
  }

  /// Prints bytes, and returns the exit status: `status`, unless they cannot be written. A reader that has gone away is
  /// no failure.
  package func say(_ bytes: [UInt8], _ status: Int32 = ExitStatus.success) -> Int32 {
    do throws(SystemError) {
      try Output.write(bytes, to: 1)
    } catch  where error.isBrokenPipe {
      return status
    } catch {
      complain("\(error.description) on standard output")
      return ExitStatus.unavailable
    }
    return status
  }

  /// Prints a text; see ``say(_:_:)``.
  package func say(_ text: String, _ status: Int32 = ExitStatus.success) -> Int32 {
    say(Array(text.utf8), status)
  }

  /// Prints a message to standard error as one line, even if it quotes a foreign text. A reader that has stopped is not
  /// waited for.
  package func complain(_ message: String) {
    // A program that shares the terminal, as vim does under `pathctl run`, may have it write bytes as they are.
    let (begin, end) = Output.isRaw(2) ? ("\r", "\r\n") : ("", "\n")
    Output.tell(Array("\(begin)\(name): \(message.inOneLine)\(end)".utf8), to: 2)
  }
}
