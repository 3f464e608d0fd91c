internal import JSON
internal import KernelPath
internal import PathCoding
internal import PathEngine
internal import PathFollowing
internal import PathModel
internal import PathSettings
internal import SystemIO

/// The verbs that answer once: `status`, `check`, `explain`, `interfaces`, `route`.
struct Questions {
  private let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  /// Asks the service, or else the kernel, and prints the answer. Returns the exit status.
  func answer() throws(KernelPathError) -> Int32 {
    do throws(PathSourceError) {
      if invocation.usesService, (invocation.settle ?? .zero) == .zero {
        return try answer(ServiceAnswers(ServiceClient(invocation.socket)))
      }
    } catch {
      if let status = error.replyStatus { return fail(error, status) }
      PathControl.noteAbsence(error)
      if case .check(let requirement, _) = invocation.command, requirement.dependsOnCost {
        PathControl.complainOfMissingCosts(requirement)
        return invocation.status(ExitStatus.cannotKnow)
      }
    }
    let inquiry = try inquire()
    do throws(PathSourceError) {
      return try answer(KernelAnswers(inquiry))
    } catch {
      return fail(error, ExitStatus.cannotKnow)
    }
  }

  private func fail(_ error: PathSourceError, _ status: Int32) -> Int32 {
    PathControl.complain(error.sentences)
    return invocation.status(status)
  }

  private func answer(_ source: some AnswerSource) throws(PathSourceError) -> Int32 {
    switch invocation.command {
    case .check(let requirement, _): check(requirement, try source.path())
    case .explain: explain(try source.explanation())
    case .interfaces: list(try source.interfaces())
    case .route(let host): try route(to: host, source)
    default: show(try source.path())
    }
  }

  // MARK: Asking the kernel

  /// Asks the kernel; with `--settle`, when the path has rested for so long.
  private func inquire() throws(KernelPathError) -> PathInquiry {
    var settings = invocation.engineSettings
    settings.read()
    settings.problems.forEach(PathControl.complain)
    let configuration = settings.configuration
    let inquiry: PathInquiry
    if let settle = invocation.settle, settle > .zero {
      inquiry = try Self.inquireAtRest(configuration, settle)
    } else {
      // Listening for changes costs a millisecond that only `explain` needs: it tells what the kernel refuses us.
      inquiry = try PathInquiry(configuration, isFollowing: invocation.command == .explain)
    }
    inquiry.overrides = invocation.overrides
    return inquiry
  }

  /// Waits until the path has not changed for so long; as with all settling, no longer than a second or that time.
  private static func inquireAtRest(
    _ configuration: PathInquiry.Configuration, _ settle: Duration
  ) throws(KernelPathError) -> PathInquiry {
    let loop = try KernelPathError.translating { () throws(SystemError) in try EventLoop() }
    let engine = try PathEngine(loop: loop, configuration: configuration)
    defer { engine.stop() }
    let longest = MonotonicInstant.now.advanced(by: SettleTimes(settle).longest)
    var rested = longest
    let subscription = engine.subscribe(.immediate) { _ in rested = min(longest, .now.advanced(by: settle)) }
    while MonotonicInstant.now < rested {
      try KernelPathError.translating { () throws(SystemError) in try loop.runOnce(until: rested) }
    }
    engine.cancel(subscription)
    return engine.inquiry
  }

  // MARK: The verbs

  private func check(_ requirement: PathRequirement, _ path: NetworkPath) -> Int32 {
    let status =
      switch requirement.verdict(on: path) {
      case .met: ExitStatus.yes
      case .notMet: ExitStatus.no
      case .unknown: invocation.status(ExitStatus.cannotKnow)
      }
    // The exit status is the answer: units and scripts want no output.
    guard invocation.isJSON else { return status }
    return invocation.status(PathControl.say(requirement.applied(to: path).jsonLine, status))
  }

  private func explain(_ explanation: (path: NetworkPath, steps: [String])) -> Int32 {
    let (path, steps) = explanation
    guard invocation.isJSON else {
      return PathControl.say(lines: steps, path.exitStatus)
    }
    return PathControl.say(
      JSONWriter.line {
        $0.beginObject()
        $0.key("path")
        path.write(to: &$0)
        $0.key("steps")
        $0.array(steps) { $0.string($1) }
        $0.endObject()
      }, path.exitStatus)
  }

  private func list(_ interfaces: [ListedInterface]) -> Int32 {
    guard invocation.isJSON else {
      return PathControl.say(
        InterfaceList.lines(interfaces, .forOutput()).map { "\($0)\n" }.joined(), ExitStatus.yes)
    }
    return PathControl.say(
      JSONWriter.line {
        $0.beginObject()
        $0.key("interfaces")
        $0.array(interfaces) { $1.interface.write(to: &$0) }
        $0.endObject()
      }, ExitStatus.yes)
  }

  private func route(to host: String, _ source: some AnswerSource) throws(PathSourceError) -> Int32 {
    let addresses: [IPAddress]
    do throws(HostLookup.LookupError) {
      addresses = try Self.addresses(of: host)
    } catch {
      if error.isUnknownName {
        PathControl.complain("there is no host '\(host)': \(error.reason). Check the spelling, or name its address.")
        return ExitStatus.usage
      }
      PathControl.complain("cannot look up '\(host)': \(error.reason). Name its address instead.")
      return ExitStatus.cannotKnow
    }
    guard !addresses.contains(where: \.isLinkLocal) else {
      PathControl.complain(
        "'\(host)' is a link-local address: it is reached over a link, not by a path. Name another address.")
      return ExitStatus.usage
    }
    return show(try source.path(to: addresses))
  }

  /// The first address of each family: the ones a program would try first.
  private static func addresses(of host: String) throws(HostLookup.LookupError) -> [IPAddress] {
    if let address = IPAddress(unscoped: host) { return [address] }
    let all = try HostLookup.addresses(of: host).compactMap { text in
      IPAddress(text)?.scoped(to: nil)
    }
    return IPAddress.Family.allCases.compactMap { family in all.first { $0.family == family } }
  }

  private func show(_ path: NetworkPath) -> Int32 {
    if invocation.isJSON { return PathControl.say(path.jsonLine, path.exitStatus) }
    let lines = PathPicture.lines(path, .forOutput())
    return PathControl.say(lines.map { "\($0)\n" }.joined(), path.exitStatus)
  }
}
