internal import KernelPath
internal import PathEngine
internal import PathFollowing
internal import PathModel
internal import PathSettings

/// The interfaces that a requirement names. A name without an interface is most likely a slip.
enum NamedInterfaces {
  /// Warns of names that no interface has now.
  ///
  /// - Parameter list: Lists all interfaces but loopback; called only if the requirement names any.
  static func warn<Failure: Error>(
    of requirement: PathRequirement, among list: () throws(Failure) -> [ListedInterface], _ warn: (String) -> Void
  ) throws(Failure) {
    let named = requirement.namedInterfaces
    if named.isEmpty { return }
    let present = try list().map(\.interface.exactName)
    for interface in named where !present.contains(interface.name) && interface.name != "lo" {
      warn(warning(of: interface, among: present))
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

  /// Warns as ``warn(of:among:_:)`` does, while a path is followed. Without an answer there is no warning: the verb has
  /// its own message about that.
  static func warn(of requirement: PathRequirement, _ invocation: Invocation, _ warn: (String) -> Void) {
    if requirement.namedInterfaces.isEmpty { return }
    let list = { () throws(PathSourceError) in try interfaces(invocation) }
    try? Self.warn(of: requirement, among: list, warn)
  }

  private static func interfaces(_ invocation: Invocation) throws(PathSourceError) -> [ListedInterface] {
    if invocation.usesService, let answers = try? ServiceAnswers(ServiceClient(invocation.socket)).interfaces() {
      return answers
    }
    do throws(KernelPathError) {
      return try PathInquiry(invocation.engineSettings.configuration, isFollowing: false).interfaces()
    } catch {
      throw PathSourceError(error)
    }
  }
}
