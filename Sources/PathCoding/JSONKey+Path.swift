import JSON
import PathModel

/// The keys of paths, for writing and reading. They are prepared once, because they are most of the written text. Their
/// spelling is that of the keys for `Encoder`.
extension JSONKey {
  static let status = JSONKey(NetworkPath.CodingKeys.status.rawValue)
  static let knowledge = JSONKey(NetworkPath.CodingKeys.knowledge.rawValue)
  static let unsatisfiedReason = JSONKey(NetworkPath.CodingKeys.unsatisfiedReason.rawValue)
  static let interfaces = JSONKey(NetworkPath.CodingKeys.interfaces.rawValue)
  static let interfaceType = JSONKey(NetworkPath.CodingKeys.interfaceType.rawValue)
  static let usesTunnel = JSONKey(NetworkPath.CodingKeys.usesTunnel.rawValue)
  static let isExpensive = JSONKey(NetworkPath.CodingKeys.isExpensive.rawValue)
  static let isConstrained = JSONKey(NetworkPath.CodingKeys.isConstrained.rawValue)
  static let cost = JSONKey(NetworkPath.CodingKeys.cost.rawValue)
  static let supportsIPv4 = JSONKey(NetworkPath.CodingKeys.supportsIPv4.rawValue)
  static let supportsIPv6 = JSONKey(NetworkPath.CodingKeys.supportsIPv6.rawValue)
  static let supportsDNS = JSONKey(NetworkPath.CodingKeys.supportsDNS.rawValue)
  static let gateways = JSONKey(NetworkPath.CodingKeys.gateways.rawValue)
  static let gatewayScopes = JSONKey(NetworkPath.CodingKeys.gatewayScopes.rawValue)
  static let overrides = JSONKey(NetworkPath.CodingKeys.overrides.rawValue)
  static let sequence = JSONKey(NetworkPath.CodingKeys.sequence.rawValue)
  static let boottimeMicroseconds = JSONKey(NetworkPath.CodingKeys.boottimeMicroseconds.rawValue)
  static let changed = JSONKey(NetworkPath.CodingKeys.changed.rawValue)

  static let name = JSONKey(NetworkInterface.CodingKeys.name.rawValue)
  static let index = JSONKey(NetworkInterface.CodingKeys.index.rawValue)
  static let type = JSONKey(NetworkInterface.CodingKeys.type.rawValue)
  static let underlying = JSONKey(NetworkInterface.CodingKeys.underlying.rawValue)
  static let underlyingTypes = JSONKey(NetworkInterface.CodingKeys.underlyingTypes.rawValue)
  static let mtu = JSONKey(NetworkInterface.CodingKeys.mtu.rawValue)
  static let hardwareAddress = JSONKey(NetworkInterface.CodingKeys.hardwareAddress.rawValue)
  static let addresses = JSONKey(NetworkInterface.CodingKeys.addresses.rawValue)
  static let driver = JSONKey(NetworkInterface.CodingKeys.driver.rawValue)

  static let confidence = JSONKey(Cost.CodingKeys.confidence.rawValue)
  static let evidence = JSONKey(Cost.CodingKeys.evidence.rawValue)

  static let source = JSONKey(Evidence.CodingKeys.source.rawValue)
  static let verdict = JSONKey(Evidence.CodingKeys.verdict.rawValue)
  static let text = JSONKey(Evidence.CodingKeys.text.rawValue)
}
