package import KernelPath
internal import PathConfiguration
internal import PathDecisions
internal import PathEngine
internal import PathFollowing
internal import PathModel
package import Programs

/// `pathctl interfaces`: lists the interfaces, or shows one of them.
package struct InterfacesVerb: Verb {
  package static let name = "interfaces"
  package static let operands = [Placeholder("NAME", .interface, isOptional: true)]
  package static let summary = "List the interfaces and their use, or show all about one"
  package static var ownOptions: [Option<InterfacesVerb>] { Option.forQuestions }
  package static let details = """
    With NAME, which may be an alternative name, it shows all that is known of one interface: also its
    state, its place among others, and every address with its state, link-local ones included.
    """
  package static let exits: [(status: Int32, meaning: String)] = [
    (ExitStatus.yes, "they are listed"), (ExitStatus.usage, "there is no interface NAME"),
    (ExitStatus.cannotKnow, "they cannot be read"),
  ]

  package var invocation = Invocation()
  /// The name of the only interface to show; `nil` for all.
  package private(set) var name: String?

  package init() {}

  package mutating func take(_ operands: [String], command: [String]) throws(UsageError) { name = operands.first }

  /// Lists all interfaces but loopback, or shows one of them.
  package func run() throws(KernelPathError) -> Int32 {
    try AnswerRequest(invocation).answer { source throws(PathSourceError) in
      let interfaces = try source.interfaces()
      if let name { return show(name, among: interfaces) }
      guard invocation.isJSON else {
        return PathControl.say(drawn: InterfaceList.lines(interfaces, .forOutput()), ExitStatus.yes)
      }
      return PathControl.say(
        JSONWriter.line {
          $0.beginObject()
          $0.key("interfaces")
          $0.array(interfaces) { $1.interface.write(to: &$0) }
          $0.endObject()
        }, ExitStatus.yes)
    }
  }

  private func show(_ name: String, among interfaces: [ListedInterface]) -> Int32 {
    // The service lists no facts about the link. If its interface is also ours, ours are right.
    let facts = kernelFacts
    let all = interfaces.map { listed in
      var listed = listed
      listed.addFacts(of: facts)
      return listed
    }
    let found =
      all.first { $0.interface.exactName == name.exact }
      ?? all.first { $0.facts?.link.exactAlternativeNames.contains(name.exact) == true }
    guard let found else {
      let near = Suggestion.text(for: name, among: all.map(\.interface.name))
      PathControl.complain(
        "there is no interface \(name.quotedInLine)\(near). 'pathctl interfaces' lists all but loopback.")
      return ExitStatus.usage
    }
    let master = found.facts?.link.masterIndex.flatMap { index in all.first { $0.interface.index == Int(index) } }
    let picture = InterfacePicture(found, portOf: master?.interface.name)
    if invocation.isJSON { return PathControl.say(JSONWriter.line { picture.write(to: &$0) }, ExitStatus.yes) }
    return PathControl.say(drawn: picture.lines(.forOutput()), ExitStatus.yes)
  }

  /// The interfaces as the kernel of this program lists them; none when it cannot be asked.
  private var kernelFacts: [ListedInterface] {
    guard invocation.usesService else { return [] }
    return (try? PathReader(invocation.engineSettings.configuration, isFollowing: false))?.interfaces() ?? []
  }
}

extension ListedInterface {
  /// Adds the facts of the same interface in another list, and the reason why nothing gets through it.
  fileprivate mutating func addFacts(of others: [ListedInterface]) {
    guard facts == nil, let other = others.first(where: { $0.isSame(as: self) }) else { return }
    facts = other.facts
    if case .unusable = role, case .unusable = other.role { role = other.role }
  }

  /// Whether both are one interface. The service may be in another network namespace, with another `eth0`.
  private func isSame(as other: ListedInterface) -> Bool {
    interface.index == other.interface.index && interface.exactName == other.interface.exactName
      && interface.hardwareAddress == other.interface.hardwareAddress
      && interface.addresses == other.interface.addresses
  }
}
