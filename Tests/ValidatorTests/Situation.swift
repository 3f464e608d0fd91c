import PathModel
import Testing

/// A network with its servers, the machine in it, and the verdict that is published.
struct Situation: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// The verdict, with the page for the sign-in and texts of the observations.
  let (state, page, evidence): (PathValidation.State, String?, [String])
  /// Why a person would give another verdict; `nil` if a person would give the same one.
  let limit: String?

  /// The behaviour of servers, names and the line.
  var behaviours: LocalInternet.Behaviours
  /// The families and the link of the path.
  var (hasIPv4, hasIPv6, link) = (true, false, LocalInternet.Link.cable)
  /// The address that the network announces for the sign-in; `nil` for none.
  var announced: String?
  /// Whether the address that is announced is refused.
  var isRefused = false
  /// The file of the validator.
  var configuration: String
  /// Files of the machine, below /etc.
  var files: [String: String] = [:]
  /// Variables of the validator.
  var environment: [String: String?] = [:]
  /// The most rounds until the verdict; `nil` if they depend on chance.
  var rounds: Int?
  /// Whether all can become as it should be while the validator runs.
  var recovers: Bool

  /// Makes a situation.
  ///
  /// - Parameters:
  ///   - sites: The servers that do not have the right answer, such as `a http`.
  ///   - names: The addresses of names other than usually.
  ///   - announced: The answer of the interface that the network announces for the sign-in. No host is asked then.
  ///   - adjust: Sets what is rarely set.
  init(
    _ name: String, _ sites: [String: LocalInternet.Behaviour] = [:], names: [String: [String]] = [:],
    announced: LocalInternet.Behaviour? = nil, is state: PathValidation.State, page: String? = nil,
    _ evidence: String..., limit: String? = nil, adjust: (inout Situation) -> Void = { _ in }
  ) {
    (testDescription, self.state, self.page) = (name, state, page)
    (self.evidence, self.limit, self.announced) = (evidence, limit, announced.map { _ in LocalInternet.interface })
    (rounds, recovers) = (state == .validated ? 1 : 2, ![.validated, .unknown].contains(state))
    configuration = announced == nil ? LocalInternet.configuration(alsoOver: "container tunnel") : Self.hostless
    behaviours = .init(sites: Self.sites(sites), names: names, announced: announced)
    adjust(&self)
  }

  /// The file of a validator that asks no host.
  static let hostless = "[Validation]\nAlsoOver=container\n"

  /// All servers of a scheme each with the same behaviour.
  static func all(
    http: LocalInternet.Behaviour = .right, https: LocalInternet.Behaviour = .right
  ) -> [String: LocalInternet.Behaviour] {
    ["a http": http, "b http": http, "a https": https, "b https": https]
  }

  private static func sites(
    _ sites: [String: LocalInternet.Behaviour]
  ) -> [LocalInternet.Site: LocalInternet.Behaviour] {
    let sites = sites.map { key, behaviour in
      (LocalInternet.Site(name: "\(key.prefix(1)).example", isSecure: key.hasSuffix("https")), behaviour)
    }
    return Dictionary(uniqueKeysWithValues: sites)
  }

  /// Whether hosts are asked.
  var asksHosts: Bool { configuration.contains("Host=") }
  /// The most requests until the verdict; `nil` if they depend on chance.
  var mostRequests: Int? {
    let families = (hasIPv4 ? 1 : 0) + (hasIPv6 ? 1 : 0)
    return rounds.map { $0 * (configuration.split(separator: "Host=").count - 1) * families }
      .map { $0 + (rounds ?? 0) * (announced == nil ? 0 : 1) }
  }
  /// The verdict as the table of docs/validation.md has it.
  var verdict: String { "`\(state.rawValue)`" + (limit.map { "; limit: \($0)" } ?? "") }
}
