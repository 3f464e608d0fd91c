internal import KernelPath
internal import PathConfiguration
internal import PathEngine
internal import PathFollowing
internal import PathModel

/// The interfaces that a requirement names. A name without an interface is most likely a slip.
enum NamedInterfaces {
  /// Warns of names that no interface has now, whether or not the requirement is met: a negated term holds for a name
  /// that does not exist.
  ///
  /// - Parameters:
  ///   - path: The present path, whose interfaces exist.
  ///   - list: Lists all interfaces but loopback; called only if the requirement names one that is not in the path.
  static func warn<Failure: Error>(
    of requirement: PathRequirement, on path: NetworkPath, among list: () throws(Failure) -> [ListedInterface],
    _ warn: (String) -> Void
  ) throws(Failure) {
    let named = requirement.namedInterfaces.filter { named in
      named.name.text != "lo" && !path.interfaces.contains { $0.isCalled(named.name) }
    }
    if named.isEmpty { return }
    let present = try list().map(\.interface)
    for named in named where !present.contains(where: { $0.isCalled(named.name) }) {
      warn(warning(of: named, among: present.map(\.exactName)))
    }
  }

  private static func warning(of interface: PathRequirement.NamedInterface, among present: [ExactText]) -> String {
    let types = InterfaceType.requirementNames
    let near = Suggestion.text(
      for: interface.name.text, among: present.map(\.text) + (interface.isTypePossible ? types : []))
    let type = interface.isTypePossible ? ", and no such type: the types are \(types.joined(separator: ", "))" : ""
    return
      "there is no interface \(interface.name.text.quotedInLine) now\(near)\(type). 'pathctl interfaces' lists all."
  }

  /// Warns as ``warn(of:on:among:_:)`` does, while a path is followed. Without an answer there is no warning: the verb
  /// has its own message about that.
  static func warn(
    of requirement: PathRequirement, on path: NetworkPath, _ invocation: Invocation, _ warn: (String) -> Void
  ) {
    let list = { () throws(PathSourceError) in try interfaces(invocation) }
    try? Self.warn(of: requirement, on: path, among: list, warn)
  }

  private static func interfaces(_ invocation: Invocation) throws(PathSourceError) -> [ListedInterface] {
    if invocation.usesService, let answers = try? ServiceAnswers(ServiceClient(invocation.socket)).interfaces() {
      return answers
    }
    do throws(KernelPathError) {
      return try PathReader(invocation.engineSettings.configuration, isFollowing: false).interfaces()
    } catch {
      throw PathSourceError(error)
    }
  }
}
