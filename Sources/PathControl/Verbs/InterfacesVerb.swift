internal import CommandLineOptions
internal import JSON
package import KernelPath
internal import PathCoding
internal import PathEngine
internal import PathFollowing

extension Verb {
  /// Lists the interfaces.
  package static let interfaces = Verb(
    name: "interfaces", summary: "List the interfaces with their types, addresses and use",
    options: Option.forQuestions,
    exits: [Exit(ExitStatus.yes, "they are listed"), Exit(ExitStatus.cannotKnow, "they cannot be read")]
  ) { _ in InterfacesOrder() }
}

/// List the interfaces.
package struct InterfacesOrder: VerbOrder {
  /// The order of `pathctl interfaces`.
  package init() {}

  /// Lists all interfaces but loopback.
  package func run(_ invocation: Invocation) throws(KernelPathError) -> Int32 {
    try AnswerRequest(invocation).answer { source throws(PathSourceError) in
      let interfaces = try source.interfaces()
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
  }
}
