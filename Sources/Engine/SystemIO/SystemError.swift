internal import Glibc

/// A system call that failed.
package struct SystemError: Error, Hashable, Sendable {
  /// The attempt that failed, such as `open /etc/resolv.conf`.
  package var attempt: String
  /// The errno of the call.
  package var errorNumber: Int32
  /// The reason in words if the errno says too little; `nil` for the C library's words.
  private let explanation: String?

  /// A failure of the attempt with the errno.
  package init(_ attempt: String, errorNumber: Int32, because explanation: String? = nil) {
    self.attempt = attempt
    self.errorNumber = errorNumber
    self.explanation = explanation
  }

  /// Whether the reader of a pipe or socket is gone.
  package var isBrokenPipe: Bool { errorNumber == EPIPE }

  /// The reason in words, usually the C library's for the errno.
  package var reason: String {
    if let explanation { return explanation }
    var text = [CChar](repeating: 0, count: 128)
    guard unsafe strerror_r(errorNumber, &text, text.count) == 0 else { return "errno \(errorNumber)" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension SystemError: CustomStringConvertible {
  /// The attempt and the reason for its failure, without a full stop: `cannot open /etc/resolv.conf: Permission
  /// denied`.
  package var description: String { "cannot \(attempt): \(reason)" }
}

/// Makes a system call that returns -1 on failure. A call that a signal interrupts is repeated.
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
