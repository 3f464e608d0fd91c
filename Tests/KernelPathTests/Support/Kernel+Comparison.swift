package import KernelPath
internal import PathDecisions
package import PathModel
internal import PathTestSupport

extension Kernel {
  /// The path as a new evaluation finds it.
  ///
  /// - Parameter formerCarriers: The links over which the traffic last left; see ``PathEvaluation/carriers``.
  package func evaluatedPath(
    _ probes: ProbeAddresses = .standard, after formerCarriers: [Int32] = []
  ) throws -> NetworkPath {
    var view = self
    return try PathEvaluator.evaluate(&view, probes: probes, formerCarriers: formerCarriers).path
  }

  /// Waits until the path, and the links and addresses from the messages, equal those of a kernel that just started.
  ///
  /// - Returns: `nil` if they became equal; otherwise what still differed when time was up.
  package func difference(
    fromFreshWithin limit: Duration, probes: ProbeAddresses = .standard
  ) throws -> String? {
    var difference: String?
    _ = try becomesTrue(within: limit, watching: eventDescriptor) {
      _ = try drain()
      let fresh = try Kernel(probes: probes)
      _ = try drain()
      difference = try describeDifference(from: fresh, probes)
      return difference == nil
    }
    return difference
  }

  private func describeDifference(from fresh: Kernel, _ probes: ProbeAddresses) throws -> String? {
    let (kept, read) = (state.announced, fresh.state.announced)
    if kept != read {
      return "the messages made \(kept.lines(without: read)), a fresh reading gives \(read.lines(without: kept))"
    }
    let (path, freshPath) = (try evaluatedPath(probes), try fresh.evaluatedPath(probes))
    return path == freshPath
      ? nil : "the paths differ in \(freshPath.fieldsChanged(since: path)): \(path) and, afresh, \(freshPath)"
  }
}

extension KernelState {
  fileprivate func lines(without other: KernelState) -> [String] {
    interfaces.flatMap { interface in
      let counterpart = other[interface.link.index]
      let link = interface.link == counterpart?.link ? [] : ["\(interface.link)"]
      return link + interface.addresses.filter { counterpart?.addresses.contains($0) != true }.map { "\($0)" }
    }
  }

  /// Leaves out values that the kernel changes without a message, and that decide nothing.
  ///
  /// - The other end of a veth pair: the first end is announced before there is a second one, and no message comes
  ///   when that moves away.
  /// - That the link below has moved away: its index stays with the upper link, and leads nowhere.
  /// - Carrier and state of a link that is down (`netdev_state_change`): the kernel announces them when it is set up.
  /// - Link-local addresses that wait for duplicate address detection: the kernel announces them when it is over.
  fileprivate var announced: KernelState {
    var state = self
    for var link in interfaces.map(\.link) {
      if link.kind == "veth" || link.parentIndex.map({ self[$0] == nil }) == true { link.parentIndex = nil }
      if !link.flags.contains(.up) {
        (link.hasCarrier, link.operationalState, link.carrierChanges) = (nil, .down, 0)
      }
      state.update(link)
    }
    for address in interfaces.flatMap(\.addresses) where address.flags.contains(.tentative) && !address.isUsable {
      state.remove(address)
    }
    return state
  }
}
