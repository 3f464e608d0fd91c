extension NetworkPath {
  /// The properties of a path without its place in a stream; see the properties of ``NetworkPath`` for their meanings.
  package struct State: Sendable {
    /// See ``NetworkPath/status``.
    package var status: Status
    /// See ``NetworkPath/knowledge``.
    package var knowledge: Knowledge
    /// See ``NetworkPath/unsatisfiedReason``.
    package var unsatisfiedReason: UnsatisfiedReason?
    /// See ``NetworkPath/interfaces``.
    package var interfaces: [NetworkInterface] = []
    /// See ``NetworkPath/interfaceType``.
    package var interfaceType: InterfaceType?
    /// See ``NetworkPath/usesTunnel``.
    package var usesTunnel = false
    /// See ``NetworkPath/isExpensive``.
    package var isExpensive = false
    /// See ``NetworkPath/isConstrained``.
    package var isConstrained = false
    /// See ``NetworkPath/cost``.
    package var cost: Cost?
    /// See ``NetworkPath/supportsIPv4``.
    package var supportsIPv4 = false
    /// See ``NetworkPath/supportsIPv6``.
    package var supportsIPv6 = false
    /// See ``NetworkPath/supportsDNS``.
    package var supportsDNS = false
    /// See ``NetworkPath/gateways``.
    package var gateways: [IPAddress] = []
    /// See ``NetworkPath/overrides``.
    package var overrides: [String] = []

    /// A state of the given status and knowledge, with everything else empty.
    package init(status: Status, knowledge: Knowledge) {
      (self.status, self.knowledge) = (status, knowledge)
    }
  }
}

extension NetworkPath.State: Equatable {
  /// Equality of all fields, without the texts of evidence.
  package static func == (left: Self, right: Self) -> Bool {
    var areEqual = true
    forEachDifference(left, right) { _ in
      areEqual = false
      return false
    }
    return areEqual
  }

  /// The names of the fields in which this state differs from an earlier one.
  func fieldsChanged(since earlier: Self) -> [String] {
    var names: [String] = []
    names.reserveCapacity(14)
    Self.forEachDifference(earlier, self) { name in
      names.append(name)
      return true
    }
    return names
  }

  /// Passes the names of the fields in which two paths differ to `goesOn`, in order, until it returns `false`.
  ///
  /// A field missing here would never be announced: a test compares this list with the properties. It is spelled out,
  /// not a table of closures, because every update passes through it.
  @inline(__always)
  private static func forEachDifference(_ left: Self, _ right: Self, _ goesOn: (String) -> Bool) {
    if left.status != right.status, !goesOn("status") { return }
    if left.knowledge != right.knowledge, !goesOn("knowledge") { return }
    if left.unsatisfiedReason != right.unsatisfiedReason, !goesOn("unsatisfiedReason") { return }
    if left.interfaces != right.interfaces, !goesOn("interfaces") { return }
    if left.interfaceType != right.interfaceType, !goesOn("interfaceType") { return }
    if left.usesTunnel != right.usesTunnel, !goesOn("usesTunnel") { return }
    if left.isExpensive != right.isExpensive, !goesOn("isExpensive") { return }
    if left.isConstrained != right.isConstrained, !goesOn("isConstrained") { return }
    if left.cost != right.cost, !goesOn("cost") { return }
    if left.supportsIPv4 != right.supportsIPv4, !goesOn("supportsIPv4") { return }
    if left.supportsIPv6 != right.supportsIPv6, !goesOn("supportsIPv6") { return }
    if left.supportsDNS != right.supportsDNS, !goesOn("supportsDNS") { return }
    if left.gateways != right.gateways, !goesOn("gateways") { return }
    if left.overrides != right.overrides { _ = goesOn("overrides") }
  }
}
