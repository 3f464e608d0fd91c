/// The one rule for "this path uses that type of interface". All code that asks for a type asks here:
/// `usesInterfaceType` by both names, the words `wifi`, `cellular` and `ethernet`, `type=` and `via=` of requirements,
/// monitors of required and prohibited types, and Reachability.
extension NetworkPath {
  /// Whether the path uses interfaces of a type.
  ///
  /// It does when the interface that carries the traffic is of the type or rests on one of the type. So a VPN over a
  /// mobile network uses both `.other` and `.cellular`, and a program that must not use mobile networks must not use
  /// that VPN. An unsatisfied path uses nothing.
  ///
  /// - Parameter type: The type.
  public func usesInterfaceType(_ type: InterfaceType) -> Bool {
    guard status == .satisfied, let first = interfaces.first else { return false }
    return uses(type, through: first)
  }

  /// Whether traffic through one of the path's interfaces uses a type: the interface's own, or one below it.
  ///
  /// The names in ``NetworkInterface/underlying`` are followed too, for services that know no
  /// ``NetworkInterface/underlyingTypes``.
  package func uses(_ type: InterfaceType, through interface: NetworkInterface) -> Bool {
    var pending = [interface]
    var names: Set<ExactText> = []
    while let next = pending.popLast() {
      if next.type == type || next.underlyingTypes.contains(type) { return true }
      // A name is followed once: paths that are made up can have names in a circle.
      for name in next.exactUnderlying where names.insert(name).inserted {
        pending += interfaces.filter { $0.exactName == name }
      }
    }
    return false
  }
}
