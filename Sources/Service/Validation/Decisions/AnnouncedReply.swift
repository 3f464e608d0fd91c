internal import PathModel

/// The reply of the interface for the sign-in that a network has announced.
package struct AnnouncedReply: Equatable, Sendable {
  private let answer: Result<PortalAnswer, PortalAnswer.Fault>
  /// When it was complete, in microseconds since boot.
  let when: Int

  /// An answer, or the reason why there is none.
  package init(_ answer: Result<PortalAnswer, PortalAnswer.Fault>, when: Int) {
    (self.answer, self.when) = (answer, when)
  }

  /// The verdict of this reply alone. That a network lets traffic through is no word for the Internet behind it.
  var verdict: PathValidation.State {
    if case .success(let answer) = answer, answer.isCaptive { .portal } else { .unknown }
  }

  /// The page for the sign-in that is wanted; `nil` if none is, or none is named.
  var page: String? {
    if case .success(let answer) = answer, answer.isCaptive { answer.userPortal } else { nil }
  }

  /// The reply in words, for people.
  var words: String {
    switch answer {
    case .success(let answer): answer.words
    case .failure(let fault): "the interface for the sign-in does not say whether one is wanted: \(fault.words)"
    }
  }
}
