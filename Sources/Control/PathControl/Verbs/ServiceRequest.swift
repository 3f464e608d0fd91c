internal import PathFollowing
internal import Programs

/// A request that only the service can serve.
struct ServiceRequest {
  private let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  /// Calls `ask` with a connection to the service, and returns the exit status.
  func run(_ ask: (ServiceClient) throws(PathSourceError) -> Int32) -> Int32 {
    do throws(PathSourceError) {
      return try ask(try ServiceClient(invocation.socket))
    } catch {
      guard let status = error.replyStatus else {
        PathControl.complain("\(error.message). Is pathmonitord running?")
        return ExitStatus.cannotKnow
      }
      PathControl.complain(error.sentences)
      return status
    }
  }
}
