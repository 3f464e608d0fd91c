internal import KernelPath
internal import PathConfiguration
internal import PathEngine
internal import PathFollowing
internal import PathModel
internal import Programs
internal import SystemIO

/// A request for one answer, from the service or else from the kernel.
struct AnswerRequest {
  private let invocation: Invocation
  private let requirement: PathRequirement?
  private let isFollowing: Bool

  /// The request of a command line.
  ///
  /// - Parameters:
  ///   - requirement: The requirement that the answer depends on.
  ///   - isFollowing: Whether to subscribe to the kernel's changes too, because a refusal by the kernel is part of the
  ///     answer.
  init(_ invocation: Invocation, requirement: PathRequirement? = nil, isFollowing: Bool = false) {
    self.invocation = invocation
    self.requirement = requirement
    self.isFollowing = isFollowing
  }

  /// Calls `answer` with the service or else with the kernel, and returns the exit status.
  func answer(
    _ answer: (any AnswerSource) throws(PathSourceError) -> Int32
  ) throws(KernelPathError) -> Int32 {
    do throws(PathSourceError) {
      if invocation.usesService {
        if let settle = invocation.settle, settle > .zero {
          try invocation.whileWaiting(for: settle) { () throws(PathSourceError) in
            try RestingPath.wait(invocation.socket, settle)
          }
        }
        return try answer(ServiceAnswers(ServiceClient(invocation.socket)))
      }
    } catch {
      if let status = invocation.statusWithoutService(error, needed: requirement?.needOfService) { return status }
    }
    let reader = try inquire()
    do throws(PathSourceError) {
      return try answer(KernelAnswers(reader))
    } catch {
      return invocation.fail(error.sentences, ExitStatus.cannotKnow)
    }
  }

  // MARK: Asking the kernel

  /// Asks the kernel; with `--settle`, after the path has not changed for that time.
  private func inquire() throws(KernelPathError) -> PathReader {
    var settings = invocation.engineSettings
    settings.read()
    settings.problems.forEach(PathControl.complain)
    let configuration = settings.configuration
    let reader: PathReader
    if let settle = invocation.settle, settle > .zero {
      reader = try invocation.whileWaiting(for: settle) { () throws(KernelPathError) in
        try Self.inquireAtRest(configuration, settle)
      }
    } else {
      // A subscription to changes costs a millisecond. Only `explain` needs it, to show what the kernel refuses.
      reader = try PathReader(configuration, isFollowing: isFollowing)
    }
    reader.overrides = invocation.overrides
    return reader
  }

  /// Waits until the path has not changed for the settle time, at most for that time or a second, if that is longer.
  /// The kernel does not know how long the path has been as it is, so the time begins now.
  private static func inquireAtRest(
    _ configuration: PathReader.Configuration, _ settle: Duration
  ) throws(KernelPathError) -> PathReader {
    let loop = try KernelPathError.translating { () throws(SystemError) in try EventLoop() }
    let engine = try PathEngine(loop: loop, configuration: configuration)
    defer { engine.stop() }
    var rest = PathRest(settle: settle, at: .now)
    let subscription = engine.subscribe(.immediate) { _ in rest.observe(age: .zero, at: .now) }
    while MonotonicInstant.now < rest.end {
      let end = rest.end
      try KernelPathError.translating { () throws(SystemError) in try loop.runOnce(until: end) }
    }
    engine.cancel(subscription)
    return engine.reader
  }
}
