package import Programs
internal import SystemIO

extension Verb {
  /// The options as the manual and the shells show them.
  package var documentedOptions: [DocumentedOption] { options.map { DocumentedOption($0) } }
}

extension CompletedProgram {
  /// The program `pathctl`, from its table of verbs.
  package static var pathctl: CompletedProgram {
    CompletedProgram(
      // Without a verb `pathctl` runs `status`.
      plain: Form(operands: [.verb], options: Verb.status.documentedOptions),
      verbs: Verb.all.map { verb in
        Form(
          name: verb.name, synonyms: verb.synonyms, summary: verb.summary, operands: verb.operands.map(\.completion),
          takesCommand: verb.takesCommand, options: verb.documentedOptions,
          refusedOptions: verb.refusedOptions.mapValues { Set($0.map(\.name)) })
      })
  }
}

/// The interfaces of the machine, for completion.
enum InterfaceNames {
  private static let folder = "/sys/class/net"

  /// The names in order; empty if the folder cannot be read.
  static func all() -> [String] {
    // Each interface is a symbolic link. The folder also contains plain files, such as the list of bonds.
    ((try? Files.entries(of: folder)) ?? []).filter { Files.linkTarget("\(folder)/\($0)") != nil }.sorted()
  }
}
