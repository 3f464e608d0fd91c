internal import JSON
internal import KernelPath
internal import PathCoding
internal import PathEngine
internal import PathModel
internal import SystemIO

/// The verbs that answer once: `status`, `explain`, `interfaces`, `route`.
struct OneShotVerbs {
  private let invocation: Invocation
  private let inquiry: PathInquiry

  /// Asks the kernel; with `--settle`, when the path has rested for so long.
  init(_ invocation: Invocation) throws(KernelPathError) {
    self.invocation = invocation
    if let settle = invocation.settle, settle > .zero {
      inquiry = try Self.inquireAtRest(invocation.configuration, settle)
    } else {
      // Listening for changes costs a millisecond that only `explain` needs: it tells what the kernel refuses us.
      inquiry = try PathInquiry(invocation.configuration, isFollowing: invocation.command == .explain)
    }
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

  func status() -> Int32 {
    show(inquiry.evaluation.path)
  }

  func explain() -> Int32 {
    let path = inquiry.evaluation.path
    let steps = inquiry.explanation()
    if invocation.isJSON {
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
    return PathControl.say(steps.map { "\($0)\n" }.joined(), path.exitStatus)
  }

  func interfaces() -> Int32 {
    let interfaces = inquiry.interfaces()
    if invocation.isJSON {
      return PathControl.say(
        JSONWriter.line {
          $0.beginObject()
          $0.key("interfaces")
          $0.array(interfaces) { $1.interface.write(to: &$0) }
          $0.endObject()
        }, ExitStatus.yes)
    }
    return PathControl.say(
      InterfaceList.lines(interfaces, .forOutput()).map { "\($0)\n" }.joined(), ExitStatus.yes)
  }

  func route(to host: String) -> Int32 {
    do throws(HostLookup.LookupError) {
      let addresses = try Self.addresses(of: host)
      guard !addresses.contains(where: \.isLinkLocal) else {
        PathControl.complain(
          "'\(host)' is a link-local address: it is reached over a link, not by a path. Name another address.")
        return ExitStatus.usage
      }
      let path = inquiry.path(to: addresses)
      if let failure = inquiry.failure { PathControl.complain(failure.description) }
      return show(path)
    } catch {
      if error.isUnknownName {
        PathControl.complain("there is no host '\(host)': \(error.reason). Check the spelling, or name its address.")
        return ExitStatus.usage
      }
      PathControl.complain("cannot look up '\(host)': \(error.reason). Name its address instead.")
      return ExitStatus.cannotKnow
    }
  }

  /// The first address of each family: the ones a program would try first.
  private static func addresses(of host: String) throws(HostLookup.LookupError) -> [IPAddress] {
    if let address = IPAddress(host) { return [address] }
    let all = try HostLookup.addresses(of: host).compactMap { text in
      IPAddress(text.split(separator: "%", maxSplits: 1).first.map(String.init) ?? text)
    }
    return IPAddress.Family.allCases.compactMap { family in all.first { $0.family == family } }
  }

  private func show(_ path: NetworkPath) -> Int32 {
    if invocation.isJSON { return PathControl.say(path.jsonLine, path.exitStatus) }
    let lines = PathPicture.lines(path, .forOutput())
    return PathControl.say(lines.map { "\($0)\n" }.joined(), path.exitStatus)
  }
}
