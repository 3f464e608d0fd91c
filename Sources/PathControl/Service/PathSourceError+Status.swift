internal import PathCoding
internal import PathFollowing

extension PathSourceError {
  /// The exit status for a reply of the service that holds no answer; `nil` when the service has not replied, so that
  /// the kernel can be asked.
  var replyStatus: Int32? {
    switch reply {
    case nil: nil
    case .malformed: ExitStatus.cannotKnow
    case .error("org.varlink.service.InvalidParameter"): ExitStatus.usage
    case .error(let name):
      switch PathMonitorInterface.ErrorName(fullName: name) {
      case .invalidRequirement, .noSuchInterface, .invalidDestination: ExitStatus.usage
      case .timedOut: ExitStatus.timedOut
      case .permissionDenied: ExitStatus.no
      case .limitReached, .pathUnknown, nil: ExitStatus.cannotKnow
      }
    }
  }

  /// Whether the service has as many clients as it takes. That passes.
  var isLackOfRoom: Bool { reply == .error(name: PathMonitorInterface.ErrorName.limitReached.fullName) }

  /// The message and the advice, as sentences.
  var sentences: String { advice.map { "\(message). \($0)" } ?? "\(message)." }
}
