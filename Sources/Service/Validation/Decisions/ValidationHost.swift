internal import PathDecisions
internal import PathModel

/// A host that is asked, with the right answer.
struct ValidationHost: Hashable, Sendable {
  /// The right answer of a host. A beginning of a body is none: prefixes are fooled.
  enum RightAnswer: Hashable, Sendable {
    case status(Int)
    case body([UInt8])

    /// Whether an answer is the right one, or may still become it if its body is not whole.
    func isMet(by status: Int, _ body: [UInt8], isWhole: Bool) -> Bool {
      switch self {
      case .status(let right): status == right
      case .body(let right): status == 200 && (isWhole ? right == body : right.starts(with: body))
      }
    }
  }

  /// The address that is asked, of `http` or `https`.
  var address: String
  /// The right answer.
  var rightAnswer: RightAnswer

  /// Whether it is asked by HTTPS, so that nobody on the way can give the right answer.
  var isConfirming: Bool { PortalAddress.isSecure(address) }

  /// The name between the scheme and the path, in lower case, without port, brackets and final dot.
  var name: String { PortalAddress.host(in: address) }

  /// Whether sign-in pages give the right answer, too: by HTTP, with the status of a page or of a redirect to one.
  var isFooled: Bool {
    !isConfirming && rightAnswer != .status(204) && (200..<400).map(RightAnswer.status).contains(rightAnswer)
  }

  /// Whether the content is the right answer.
  func isRight(_ content: WebAnswer.Content) -> Bool {
    rightAnswer.isMet(by: content.status, content.body, isWhole: true)
  }
}
