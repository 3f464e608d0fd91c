package import SystemIO

/// The reason why the kernel could not be asked. It does not describe the path and must never be shown as "offline".
package struct KernelPathError: Error, Hashable, Sendable {
  /// A kind of failure. More kinds may be added.
  package struct Code: Hashable, Sendable {
    private let name: String

    /// The kernel or a sandbox refuses netlink sockets.
    package static let netlinkRefused = Code(name: "netlinkRefused")
    /// A netlink call failed later on.
    package static let netlinkFailed = Code(name: "netlinkFailed")
    /// The kernel sent a message that does not match its type.
    package static let malformedMessage = Code(name: "malformedMessage")
  }

  /// The kind of failure.
  package var code: Code
  /// The failed action and the reason, without a full stop.
  package var message: String
  /// The next step for the reader, as a sentence; `nil` when there is none.
  package var advice: String?
  /// The error number of the kernel; `nil` if it has not given one.
  package private(set) var errorNumber: Int32?

  /// Wraps the error of a system call, or the kernel's answer to a request.
  package init(_ error: SystemError) {
    self.init(.netlinkFailed, error.description)
    errorNumber = error.errorNumber
  }

  /// Runs the body and translates the error of a system call.
  package static func translating<Result: ~Copyable>(
    _ body: () throws(SystemError) -> Result
  ) throws(KernelPathError) -> Result {
    do throws(SystemError) {
      return try body()
    } catch {
      throw KernelPathError(error)
    }
  }

  /// Creates an error with its message.
  package init(_ code: Code, _ message: String, advice: String? = nil) {
    self.code = code
    self.message = message
    self.advice = advice
  }
}

extension KernelPathError: CustomStringConvertible {
  /// The message, and the advice where there is one.
  package var description: String { advice.map { "\(message). \($0)" } ?? message }
}
