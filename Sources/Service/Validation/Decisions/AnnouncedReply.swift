internal import PathModel

/// The reply of the interface for the sign-in that a network has announced.
package struct AnnouncedReply: Sendable {
  let answer: WebAnswer
  private let content: Result<PortalAnswer, PortalAnswer.Fault>

  /// A reply.
  package init(_ answer: WebAnswer) {
    self.answer = answer
    content = Result { () throws(PortalAnswer.Fault) in try PortalAnswer(answer) }
  }

  /// The verdict of this reply alone. That a network lets traffic through is no word for the Internet behind it.
  var verdict: PathValidation.State {
    if case .success(let answer) = content, answer.isCaptive { .portal } else { .unknown }
  }

  /// The page for the sign-in that is wanted; `nil` if none is, or none is named.
  var page: String? {
    if case .success(let answer) = content, answer.isCaptive { answer.userPortal } else { nil }
  }

  /// The reply in words, for people.
  var words: String {
    switch content {
    case .success(let answer): answer.words
    case .failure(let fault): "the interface for the sign-in does not say whether one is wanted: \(fault.words)"
    }
  }
}

extension PortalAnswer {
  fileprivate init(_ answer: WebAnswer) throws(Fault) {
    switch answer.result {
    case .success(let content) where content.status != 200: throw Fault(words: "its status is \(content.status)")
    case .success(let content) where content.mediaType != Self.mediaType:
      throw Fault(words: "the answer is not of type \(Self.mediaType)")
    case .success(let content): try self.init(parsing: content.body)
    case .failure(let failure): throw Fault(words: failure.words)
    }
  }
}
