package import KernelPath
package import PathModel

extension Kernel {
  /// The path as a new evaluation finds it.
  package func evaluatedPath(_ probes: ProbeAddresses = .standard) throws -> NetworkPath {
    var view = self
    return try PathEvaluator.evaluate(&view, probes: probes).path
  }

  /// Waits until what the messages made of links and addresses, and the path, are what a kernel that just started
  /// has.
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
    let (kept, read) = (state.withoutPeersOfCables, fresh.state.withoutPeersOfCables)
    if kept != read { return "the messages made \(kept.lines(without: read)), a fresh reading gives \(read.lines(without: kept))" }
    let (path, freshPath) = (try evaluatedPath(probes), try fresh.evaluatedPath(probes))
    return path == freshPath
      ? nil : "the paths differ in \(freshPath.fieldsChanged(since: path)): \(path) and, afresh, \(freshPath)"
  }
}

extension KernelState {
  /// The links and addresses that another state does not have.
  fileprivate func lines(without other: KernelState) -> [String] {
    interfaces.flatMap { interface in
      let counterpart = other[interface.link.index]
      let link = interface.link == counterpart?.link ? [] : ["\(interface.link)"]
      return link + interface.addresses.filter { counterpart?.addresses.contains($0) != true }.map { "\($0)" }
    }
  }

  /// Leaves out which link is the other end of a veth pair. The kernel describes the first end before there is a
  /// second one, and says nothing when the other end moves away. Nothing is decided by it.
  fileprivate var withoutPeersOfCables: KernelState {
    var state = self
    for var link in interfaces.map(\.link) where link.kind == "veth" {
      link.parentIndex = nil
      state.update(link)
    }
    return state
  }
}
