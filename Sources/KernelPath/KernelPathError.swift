package import SystemIO

/// Why the kernel could not be asked. It says nothing of the path: never to be shown as "offline".
package struct KernelPathError: Error, Hashable, Sendable {
  /// What kind of failure; more may be added.
  package struct Code: Hashable, Sendable {
    private let name: String

    /// The kernel or a sandbox refuses netlink sockets.
    package static let netlinkRefused = Code(name: "netlinkRefused")
    /// A netlink call failed later on.
    package static let netlinkFailed = Code(name: "netlinkFailed")
    /// The kernel sent something that is not what its type says.
    package static let malformedMessage = Code(name: "malformedMessage")
  }

  /// What kind of failure.
  package var code: Code
  /// What was attempted and what happened, without a full stop.
  package var message: String
  /// What the reader can do next, as a sentence; `nil` when there is nothing to do.
  package var advice: String?

  /// A failed system call, seen from here.
  package init(_ error: SystemError) {
    self.init(.netlinkFailed, error.description)
  }

  /// Does what may fail with a system call.
  package static func translating<Result: ~Copyable>(
    _ body: () throws(SystemError) -> Result
  ) throws(KernelPathError) -> Result {
    do throws(SystemError) {
      return try body()
    } catch {
      throw KernelPathError(error)
    }
  }

  /// A failure with its message.
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
