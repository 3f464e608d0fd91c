internal import PathFollowing
internal import PathModel
internal import Programs

extension PathSourceError {
  /// The exit status for an error reply or a malformed reply. `nil` when the service has not replied: then the kernel
  /// can be asked.
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
      case .limitReached, .anotherPath, .pathUnknown, nil: ExitStatus.cannotKnow
      }
    }
  }

  /// Whether the service has refused because a limit is reached, such as the number of clients. A later attempt can
  /// succeed.
  var isLackOfRoom: Bool { reply == .error(name: PathMonitorInterface.ErrorName.limitReached.fullName) }
}
