internal import PathModel

/// The section of pathctl(1) about the output of `--json`: every key with its meaning.
enum JSONSection {
  static func add(to page: inout ManualPage) {
    page.section("JSON")
    page.paragraph(
      """
      With --json a path is one object on one line, the same that the service sends. Every key is there; what is \
      absent is null. There may be more keys and more words some day: ignore those that you do not know.
      """)
    for key in NetworkPath.Field.allCases { page.item(key.rawValue, text: key.meaning) }
    page.paragraph("An interface, in the array interfaces:")
    for key in NetworkInterface.Field.allCases { page.item(key.rawValue, text: key.meaning) }
    page.paragraph("The object diagnosis:")
    for key in Diagnosis.Field.allCases { page.item(key.rawValue, text: key.meaning) }
    page.paragraph("The object cost:")
    for key in Cost.Field.allCases { page.item(key.rawValue, text: key.meaning) }
    page.paragraph("A piece of evidence, in the array evidence:")
    for key in Evidence.Field.allCases { page.item(key.rawValue, text: key.meaning) }
    page.paragraph("Other verbs print an object of their own:")
    page.item("explain", text: "path, and steps: the lines that explain prints without --json.")
    page.item("interfaces", text: "interfaces: an array as that of a path.")
    page.item(
      "health",
      text: """
        health: counters by name; totals: changes, outages and times without a path since the start of the service; \
        notes, and configurationProblems: texts. A configuration file with a mistake is among \
        the latter.
        """)
    page.item(
      "config",
      text: """
        settings: objects with section, key, value, file and line; files: objects with path, counts and note; problems: \
        texts.
        """)
    page.item("override list", text: "overrides: an array.")
  }
}

extension NetworkPath.Field {
  /// The meaning of the key, in sentences.
  fileprivate var meaning: String {
    switch self {
    case .status:
      "satisfied: there is a usable route; unsatisfied: there is none; requiresConnection: using it may bring one up."
    case .knowledge:
      "known: from the present answers of the kernel; stale: true until the service was lost; unknown: never known."
    case .unsatisfiedReason:
      """
      Why there is no path, or null: \(UnsatisfiedReason.all.map(\.rawValue).joined(separator: ", ")).
      """
    case .diagnosis:
      """
      The cause of an unsatisfied path, or the doubt about a satisfied one, as an object; see below. It is null when \
      nothing is to be said. It is found without a look at routing tables and routers: explain knows more. Another \
      code or subject is an update, another sentence is not.
      """
    case .interfaces:
      """
      The usable interfaces in order of preference, as objects; see below. The first carries the traffic if the path is \
      satisfied. Otherwise these are usable only by sockets bound to them.
      """
    case .interfaceType:
      "The type of the interface that carries the traffic, or null: \(InterfaceType.words)."
    case .usesTunnel: "true if that interface is a tunnel, such as a VPN."
    case .isExpensive: "true if traffic is likely to cost money or to count against a quota."
    case .isConstrained: "true if programs are asked to use little data."
    case .cost: "The reasons for the last two, as an object; see below. null without a path."
    case .supportsIPv4: "true if IPv4 destinations can be reached."
    case .supportsIPv6: "true if IPv6 destinations can be reached."
    case .supportsDNS: "true if there is a path and a name server is configured. The server is not asked."
    case .gateways: "The addresses of the routers of the usable interfaces."
    case .gatewayScopes:
      """
      The interface of each gateway that is a link-local IPv6 address, and an empty text for the others; empty when none \
      is.
      """
    case .overrides: "The overrides in force, in words."
    case .sequence:
      "The number of the update, for those who follow the path. A gap may mean skipped updates. It starts anew with the service."
    case .boottimeMicroseconds: "When the path was evaluated, in microseconds since boot, suspend included."
    case .changed: "The names of the keys that differ from the update before; empty for the first."
    }
  }
}

extension NetworkInterface.Field {
  /// The meaning of the key, in sentences.
  fileprivate var meaning: String {
    switch self {
    case .name: "The kernel's name of the interface."
    case .index: "The kernel's index of the interface."
    case .type: "The medium: \(InterfaceType.words)."
    case .isExpensive: "true if its traffic is likely to cost money or to count against a quota."
    case .isConstrained: "true if programs are asked to use little data on it."
    case .underlying: "The interfaces that carry its packets: ports of a bridge, the interface below a tunnel."
    case .underlyingTypes: "The types of these interfaces and of those below them, each once."
    case .mtu: "The largest packet that the link carries, in bytes."
    case .hardwareAddress: "The link-layer address, as hexadecimal bytes with colons between."
    case .addresses: "The addresses that programs can use, with the lengths of their prefixes."
    case .driver: "The kernel driver; null for virtual interfaces."
    case .isExpenseUndetermined:
      "true if evidence about the expense exists that could not be read, and nothing stronger decides."
    case .alternativeNames: "Its other names, as 'ip link property add dev NAME altname OTHER' sets them."
    }
  }
}

extension Diagnosis.Field {
  /// The meaning of the key, in sentences.
  fileprivate var meaning: String {
    switch self {
    case .code: "The name of the cause, such as noCarrier."
    case .subject: "The interface, router, table, policy rule or file that decides, or null."
    case .sentence: "The cause in words, without a full stop."
    case .circumstances: "Facts beside the cause that change the next step, such as isPair; mostly none."
    }
  }
}

extension Cost.Field {
  /// The meaning of the key, in sentences.
  fileprivate var meaning: String {
    switch self {
    case .isExpensive: "As that of the path."
    case .isConstrained: "As that of the path."
    case .confidence:
      "The confidence of the evidence that decided: user, explicit, certain, likely, guess or unknown, see pathmonitor.conf(5)."
    case .evidence: "All evidence, the strongest first, as objects; see below."
    }
  }
}

extension Evidence.Field {
  /// The meaning of the key, in sentences.
  fileprivate var meaning: String {
    switch self {
    case .source:
      """
      The origin: override, configuration, program, networkManager, interfaceType, driver, lease or gatewayAddress.
      """
    case .verdict: "The statement: expensive, notExpensive, undetermined, constrained or notConstrained."
    case .confidence: "As that of the cost."
    case .text: "The evidence in words."
    }
  }
}

extension InterfaceType {
  /// All types by their names in JSON, for a sentence.
  fileprivate static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
