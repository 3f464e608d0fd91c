package import PathConfiguration
internal import PathDecisions
internal import PathModel

/// The settings of the validator: the section `[Validation]` of its files. Without a file no host is asked.
package struct ValidationConfiguration: SectionConfiguration, Hashable {
  /// The hosts, in the order of the files.
  private(set) var hosts: [ValidationHost] = []
  /// The time between rounds while the network is validated; `nil` for none.
  private(set) var revalidation: Duration? = .seconds(3_600)
  /// The kinds of paths over which hosts are asked although they are restricted.
  private(set) var allowed: Set<RestrictedPath> = []

  package init() {}

  package static let mainName = "validation.conf"
  package static let section = "Validation"
  package static let unit = "pathmonitor-validation.service"

  /// All keys, in the order of the manual.
  package static let keys: [SectionKey<ValidationConfiguration>] = [
    SectionKey(
      "Host",
      allowed: """
        at most \(limit) http or https addresses outside this machine, without user and password, each with a space \
        and the right answer: a status such as 204, or the whole body in quotation marks, with \\n for the end of a \
        line
        """, standard: ""
    ) { $0.addHost($1) },
    SectionKey("Revalidate", allowed: "a time span from 1min, such as 1h, or never", standard: "1h") {
      $0.setRevalidation($1)
    },
    SectionKey(
      "AlsoOver", allowed: "\(RestrictedPath.allCases.map(\.rawValue).joined(separator: ", ")), with spaces between",
      standard: ""
    ) { $0.setPaths($1) },
  ]

  /// The most hosts. Each is asked by each family in a round.
  private static let limit = 16
  /// The longest body that is compared, in bytes.
  private static let longestBody = 1_024

  /// The hosts that are asked: none unless there are two with different names, because no verdict rests on one.
  var askedHosts: [ValidationHost] { Set(hosts.map(\.name.exact)).count < 2 ? [] : hosts }

  package var notes: [String] {
    if hosts.isEmpty { return [] }
    if askedHosts.isEmpty {
      return ["Host= names one host only, and no verdict rests on one: none is asked. Add another host."]
    }
    if hosts.allSatisfy(\.isConfirming) {
      return ["no Host= has an http address, and no sign-in page can answer by https. Add one by http."]
    }
    return hosts.filter(\.isFooled).map {
      "Host=\($0.address) takes a sign-in page for the right answer. Name its whole body, or a host that answers 204."
    }
      + (hosts.contains(where: \.isConfirming)
        ? [] : ["no Host= has an https address, and an answer by http alone is 'partial'. Add one by https."])
  }

  /// The word for the journal if there is no host.
  var hostlessness: String? {
    hosts.isEmpty ? "no file has Host=, so no host is asked. pathmonitor-validation.conf(5) has the keys." : nil
  }

  /// Adds a host; an empty value removes the ones before, as in systemd's files.
  private mutating func addHost(_ value: String) -> Bool {
    if value.isEmpty {
      hosts = []
      return true
    }
    let words = value.utf8.split(maxSplits: 1, whereSeparator: Self.isSpace)
    guard words.count == 2, hosts.count < Self.limit, let address = PortalAddress.text(of: words[0]),
      let right = Self.rightAnswer(Array(words[1].drop(while: Self.isSpace)))
    else { return false }
    hosts.append(ValidationHost(address: address, rightAnswer: right))
    return true
  }

  private static func rightAnswer(_ text: [UInt8]) -> ValidationHost.RightAnswer? {
    if let status = Int(String(decoding: text, as: UTF8.self)), (100...599).contains(status) { return .status(status) }
    // The escapes are those of JSON.
    guard let body = (try? JSONValue(parsing: text))?.stringValue.map({ Array($0.utf8) }) else { return nil }
    return (1...longestBody).contains(body.count) ? .body(body) : nil
  }

  private mutating func setRevalidation(_ value: String) -> Bool {
    let span = try? TimeSpan.parse(value)
    guard value == "never" || span.map({ $0 >= .seconds(60) }) == true else { return false }
    revalidation = span
    return true
  }

  private mutating func setPaths(_ value: String) -> Bool {
    let words = value.utf8.split(whereSeparator: Self.isSpace)
    let kinds = words.compactMap { RestrictedPath(rawValue: String(decoding: $0, as: UTF8.self)) }
    guard kinds.count == words.count else { return false }
    allowed = Set(kinds)
    return true
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
