/// A request that only the service can serve.
struct ServiceRequest {
  private let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  /// Has `ask` ask the service, and print the answer. Returns the exit status.
  func run(_ ask: (ServiceClient) throws(ServiceProblem) -> Int32) -> Int32 {
    do throws(ServiceProblem) {
      return try ask(try ServiceClient(invocation.socket))
    } catch {
      guard case .declines(let status) = error.kind else {
        PathControl.complain("\(error.description). Is pathmonitord running?")
        return ExitStatus.cannotKnow
      }
      PathControl.complain(error.description)
      return status
    }
  }
}
