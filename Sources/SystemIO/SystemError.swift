internal import Glibc

/// A system call that failed.
package struct SystemError: Error, Hashable, Sendable {
  /// What was attempted, such as `open /etc/resolv.conf`.
  package var attempt: String
  /// The errno of the call.
  package var errorNumber: Int32
  /// The reason in words where the errno says too little; `nil` for the C library's words.
  private let explanation: String?

  /// A failure of the attempt with the errno.
  package init(_ attempt: String, errorNumber: Int32, because explanation: String? = nil) {
    self.attempt = attempt
    self.errorNumber = errorNumber
    self.explanation = explanation
  }

  /// Whether the reader of a pipe or socket is gone.
  package var isBrokenPipe: Bool { errorNumber == EPIPE }

  /// The reason in words, most likely the C library's for the errno.
  package var reason: String {
    if let explanation { return explanation }
    var text = [CChar](repeating: 0, count: 128)
    guard unsafe strerror_r(errorNumber, &text, text.count) == 0 else { return "errno \(errorNumber)" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension SystemError: CustomStringConvertible {
  /// What failed and why, without a full stop: `cannot open /etc/resolv.conf: Permission denied`.
  package var description: String { "cannot \(attempt): \(reason)" }
}

/// Makes a system call that returns -1 for a failure; a call that a signal interrupts is made again.
///
/// EINTR is decided here and nowhere else.
@discardableResult
package func systemCall<Result: FixedWidthInteger & SignedInteger>(
  _ attempt: @autoclosure () -> String, _ call: () -> Result
) throws(SystemError) -> Result {
  while true {
    let result = call()
    if result != -1 { return result }
    let errorNumber = errno
    if errorNumber != EINTR { throw SystemError(attempt(), errorNumber: errorNumber) }
  }
}
