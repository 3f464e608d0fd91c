import Foundation
import PathModel
import Testing

/// A network with its servers, the machine in it, and the verdict that is published: a row of situations.txt.
struct Situation: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// The verdict, with the page for the sign-in and texts of the observations.
  let (state, page, evidence): (PathValidation.State, String?, [String])

  /// The behaviour of servers, names and the line.
  private(set) var behaviours = LocalInternet.Behaviours()
  /// The families and the link of the path.
  private(set) var (hasIPv4, hasIPv6, link) = (true, false, LocalInternet.Link.cable)
  /// The address that the network announces for the sign-in; `nil` for none.
  private(set) var announced: String?
  /// Whether the address that is announced is refused.
  private(set) var isRefused = false
  /// The file of the validator.
  private(set) var configuration = LocalInternet.configuration(alsoOver: "container tunnel")
  /// Files of the machine, below /etc.
  private(set) var files: [String: String] = [:]
  /// Variables of the validator.
  private(set) var environment: [String: String?] = [:]
  /// The most rounds until the verdict; `nil` if they depend on chance.
  private(set) var rounds: Int?

  /// All situations, in the order of the table in docs/validation.md.
  static let table = (try? parsed()) ?? []

  /// Parses situations.txt.
  static func parsed() throws -> [Situation] {
    let text = String(decoding: PackageResources.situations_txt, as: UTF8.self).replacing("\n  ", with: " ")
    return try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { try Situation(row: $0) }
  }

  /// The row or the word of a row that cannot be parsed.
  private struct Fault: Error {
    let text: String
  }

  private init(row: Substring) throws {
    let cells = row.split(separator: "|", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    let verdict = cells.count > 1 ? cells[1].components(separatedBy: " page=") : []
    guard (3...4).contains(cells.count) else { throw Fault(text: String(row)) }
    (testDescription, state) = (cells[0], .init(rawValue: verdict[0]))
    rounds = state == .validated ? 1 : 2
    page = verdict.dropFirst().first.map { Self.pages[$0] ?? $0 }
    evidence = cells.count > 3 ? cells[3].components(separatedBy: "; ") : []
    for word in cells[2].split(separator: " ") {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { Self.expanded($0) }
      if parts.count == 1 { try set(parts[0]) } else { try set(parts[0], parts[1]) }
    }
  }

  private static let pages = [
    "a": "http://a.example/204", "b": "http://b.example/ok", "api": LocalInternet.interface,
  ]

  private mutating func set(_ word: String) throws {
    switch word {
    case "ipv6": hasIPv6 = true
    case "ipv6-only": (hasIPv4, hasIPv6) = (false, true)
    case "tunnel": link = .tunnel
    case "hostless": configuration = LocalInternet.hostless
    case "https-hosts": configuration = configuration.replacing("Host=http:", with: "#http:")
    case "page-is-right":
      configuration = configuration.replacing(" 204\n", with: " 200\n").replacing(#""ok\n""#, with: "200")
    case "hosts-file": files["hosts"] = "127.0.0.1 a.example b.example\n"
    case "no-name-server": files["resolv.conf"] = ""
    case "proxy":
      for name in ["http_proxy", "https_proxy"] { environment[name] = "http://\(LocalInternet.proxy)" }
    default: throw Fault(text: word)
    }
  }

  private mutating func set(_ key: String, _ value: String) throws {
    func number() throws -> Int { try #require(Int(value), "\(key)=\(value)") }
    switch key {
    case "drop", "prohibit":
      let action = key == "drop" ? "blackhole" : key
      behaviours.firewall.append("\(value.replacing(",", with: " ")) \(action)")
    case "delay": behaviours.delay = try number()
    case "lost": behaviours.lost = try number()
    case "name-delay": behaviours.nameDelay = try number()
    case "every": behaviours.every = try number()
    case "refusal": behaviours.refusal = try number()
    case "rounds": rounds = Int(value)
    case "api": (announced, behaviours.announced) = (LocalInternet.interface, try Self.behaviour(value))
    case "announced", "refused": (announced, isRefused) = (value, key == "refused")
    case "a", "b": behaviours.names["\(key).example"] = Self.addresses(value)
    case _ where key.contains(".example"): behaviours.names[key] = Self.addresses(value)
    case _ where key.hasSuffix("http") || key.hasSuffix("https"):
      for site in LocalInternet.sites where site.isSecure == key.hasSuffix("https") {
        guard !key.contains(".") || site.name.hasPrefix(key.prefix(2)) else { continue }
        behaviours.sites[site] = try Self.behaviour(value)
      }
    default: throw Fault(text: key)
    }
  }

  private static func addresses(_ list: String) -> [String] { list.split(separator: ",").map(String.init) }

  private static func behaviour(_ text: String) throws -> LocalInternet.Behaviour {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    let rest = parts.dropFirst().first ?? ""
    switch parts[0] {
    case "nobody": return .nobody
    case "redirect": return .redirect
    case "page": return .page
    case "to": return .answer(302, headers: ["Location: \(rest)"])
    case "captive": return .captive(rest)
    case "certificate": return .certificate(rest)
    case "fault": return .fault(rest.replacing("-", with: " "))
    default: return .answer(try #require(Int(parts[0]), "\(text)"), body: rest)
    }
  }

  /// A word with the bytes that stand for `%1B`, and repetitions.
  private static func expanded(_ word: Substring) -> String {
    String(word).replacing(/%([0-9A-F]{2})/) { String(UnicodeScalar(UInt8($0.1, radix: 16) ?? 0)) }
      .replacing(/\{(.)\*([0-9]+)\}/) { String(repeating: String($0.1), count: Int($0.2) ?? 0) }
  }

  /// Whether all can become as it should be while the validator runs.
  var recovers: Bool { ![.validated, .unknown].contains(state) && link != .tunnel }
  /// Whether hosts are asked.
  var asksHosts: Bool { configuration.contains("Host=") }
  /// The most requests until the verdict; `nil` if they depend on chance.
  var mostRequests: Int? {
    let families = (hasIPv4 ? 1 : 0) + (hasIPv6 ? 1 : 0)
    return rounds.map { $0 * (configuration.split(separator: "Host=").count - 1) * families }
      .map { $0 + (rounds ?? 0) * (announced == nil ? 0 : 1) }
  }

  /// The cells of the table in docs/validation.md. The verdict has its limit, if a person would give another one.
  static let documented: [[String]] = {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/validation.md")
    let rows = (try? String(contentsOf: page, encoding: .utf8))?.split(separator: "\n") ?? []
    return rows.drop { !$0.hasPrefix("| situation | verdict |") }.dropFirst(2).prefix { $0.hasPrefix("| ") }
      .map { $0.dropFirst(2).components(separatedBy: " | ") }
  }()
}
