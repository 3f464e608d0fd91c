internal import PathConfiguration
internal import PathControl
internal import PathModel
internal import Programs

/// The page pathctl(1).
enum ControlPage {
  static var text: String {
    var page = ManualPage(
      "pathctl", section: 1, purpose: "show, await and use the network path of the machine", placeholders: placeholders)
    addIntroduction(to: &page)
    addVerbs(to: &page)
    page.section("Options")
    page.options(options) { option in
      let takers = Verb.all.filter { $0.documentedOptions.contains(option) }
      if takers.count == Verb.all.count { return nil }
      return "For \(takers.map(\.name).joined(separator: ", "))."
    }
    page.paragraph(
      """
      Times are written as in systemd.time(7): 50ms, 2min, 1h 30min; a bare number is seconds. The units are us, ms, s, \
      min, h, d and w; there are no months and years.
      """)
    addRequirements(to: &page)
    JSONSection.add(to: &page)
    addSurroundings(to: &page)
    addExamples(to: &page)
    page.seeAlso(
      "pathmonitord(8)", "pathmonitor.conf(5)", "path-online.target(7)", "systemd.service(5)", "systemd.time(7)",
      "ip-route(8)", "networkctl(1)",
      "nmcli(1)")
    return page.source
  }

  /// Every option once, in the order of the verbs.
  private static var options: [DocumentedOption] {
    var seen: [DocumentedOption] = []
    for option in Verb.all.flatMap(\.documentedOptions) where !seen.contains(option) { seen.append(option) }
    return seen
  }

  /// The words in capitals in the tables.
  private static var placeholders: Set<String> {
    let usages = Verb.all.flatMap { $0.usage() + $0.options.compactMap(\.value?.name) }
    let words = usages.flatMap { $0.split { !$0.isLetter } }.map(String.init)
    return Set(words.filter { $0 == $0.uppercased() } + ["OPTION", "VERB", "TYPE", "NAME"])
  }

  private static func addIntroduction(to page: inout ManualPage) {
    page.section("Synopsis")
    page.command("pathctl [VERB] [OPTION...]")
    for verb in Verb.all where !verb.operands.isEmpty {
      page.command((["pathctl"] + verb.usage(["[OPTION...]"])).joined(separator: " "))
    }
    page.section("Description")
    page.paragraph(
      """
      pathctl shows the network path of this machine: connected or not, over what, at what cost. It also follows the \
      path, waits for it, and runs commands while it is as required.
      """)
    page.paragraph(
      """
      Connected means that the kernel has a usable route now for the sample addresses, which stand for the Internet. No packet \
      is sent: it does not mean that the Internet answers. On a network without Internet access, set another \
      one with --sample-address, or for all users in pathmonitor.conf(5).
      """)
    page.paragraph(
      """
      pathctl asks the service, pathmonitord(8). Without the service it asks the kernel itself, and says so. An unknown \
      path is never shown as offline.
      """)
  }

  private static func addVerbs(to page: inout ManualPage) {
    page.section("Verbs")
    for verb in Verb.all {
      page.subsection((["pathctl"] + verb.usage()).joined(separator: " "))
      let names = verb.ownOptions.map(\.usage)
      page.paragraph(verb.summary + (names.isEmpty ? "." : ". Options: \(names.joined(separator: ", "))."))
      page.help(verb.help)
    }
  }

  private static func addRequirements(to page: inout ManualPage) {
    page.section("Requirements")
    page.paragraph(
      """
      A requirement is one of the following, or several with commas and no spaces between them, all of which must \
      hold. Every one but offline and not-connected asks for a connected path, too: not-wifi means connected, but not over \
      Wi-Fi.
      """)
    for word in PathRequirement.Word.allCases {
      page.item([word.rawValue, "not-\(word.rawValue)"], text: sentence(word.meaning))
    }
    page.paragraph(
      "connected and offline are each other's opposite: not-connected means offline, not-offline connected.")
    for key in PathRequirement.Key.allCases {
      page.item(key.placeholders.map { "\(key.rawValue)=\($0)" }, text: sentence(key.meaning))
    }
    let synonyms = PathRequirement.synonyms.map { "\($0.name) is \($0.term)" }.joined(separator: ", ")
    page.paragraph("Words of other programs are understood, too: \(synonyms).")
    page.paragraph(
      """
      TYPE is one of \(InterfaceType.requirementNames.joined(separator: ", ")). With via= all other words apply to \
      the path that a socket bound to that interface would take.
      """)
    page.paragraph(
      """
      not-(wifi,unmetered) negates several at once: connected, but not both. ! may be written for not-. More exactly:
      """)
    page.example(
      """
      requirement = term *("," term)
      term        = [negation] (word | "(" requirement ")")
                  | key "=" value
      negation    = "not-" | "!"
      """)
  }

  private static func sentence(_ phrase: String) -> String { phrase.prefix(1).uppercased() + phrase.dropFirst() + "." }

  private static func addSurroundings(to page: inout ManualPage) {
    page.section("Exit status")
    page.item("\(ExitStatus.yes)", text: "Yes: there is a path, it is as required, or the request has been met.")
    page.item("\(ExitStatus.no)", text: "No: there is no path, or it is not as required.")
    page.item("\(ExitStatus.usage)", text: "The command line is wrong. Standard error shows a correct one.")
    page.item(
      "\(ExitStatus.cannotKnow)",
      text: "It cannot be known, as the service or the kernel could not be asked. This is never the same as no.")
    page.item("\(ExitStatus.timedOut)", text: "The time of --timeout has run out.")
    page.item("\(ExitStatus.cannotRun)", text: "The command of run cannot be run.")
    page.item("\(ExitStatus.noSuchCommand)", text: "There is no such command for run.")
    page.item(
      "\(ExitStatus.conditionFailed)",
      text: """
        With check --condition: everything but yes and no, so that a mistake fails the unit instead of skipping it.
        """)
    page.paragraph("run ends with the status of its command, or with 128 plus the number of the signal that ended it.")
    page.section("Environment")
    page.item(
      "PATHMONITOR_SOCKET",
      text: "Where the service listens, instead of \(PathMonitorInterface.socketPath). --socket takes precedence.")
    page.item(
      "PATHMONITOR_PAGER, PAGER",
      text: """
        The program in which explain and history show their output on a terminal, less(1) without them. An empty text \
        or cat is for no pager, as --no-pager. It is run by /bin/sh, and LESS is FRSXMK unless it is set. Root gets \
        less alone, with LESSSECURE=1, so that it starts no other program.
        """)
    page.item("NO_COLOR", text: "If set and not empty, the output has no colours. A file or a pipe never gets any.")
    page.paragraph(
      """
      The variables for the command of watch --exec have the words of the keys of JSON: PATH_STATUS those of status, \
      PATH_KNOWLEDGE those of knowledge, PATH_REASON those of unsatisfiedReason, PATH_TYPE those of interfaceType, and \
      PATH_CHANGED the names in changed. PATH_INTERFACE is the name of the interface that carries the traffic. \
      PATH_DIAGNOSIS is the sentence of diagnosis, or the general words for the reason, and PATH_ADVICE the next step.
      """)
    page.section("Files")
    page.item(PathMonitorInterface.socketPath, text: "Where the service listens. It speaks Varlink.")
    page.item(
      ConfigurationFiles.defaultPath, text: "The administrator's configuration, see pathmonitor.conf(5).")
    page.item(HookDirectory.defaultPath, text: "The programs that pathctl hooks runs when the path changes.")
    page.item(OverrideStore.path(forSocket: nil), text: "The overrides in force. They end at reboot.")
  }

  private static func addExamples(to page: inout ManualPage) {
    page.section("Examples")
    for example in Verb.all.flatMap(\.examples) {
      page.paragraph(example.purpose + ":")
      page.example(example.lines)
    }
  }
}
