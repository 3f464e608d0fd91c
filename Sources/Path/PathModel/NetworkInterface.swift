/// An interface that a path can use.
///
/// The equality of interfaces is that of all fields. Texts are equal if their bytes are.
public struct NetworkInterface: Sendable {
  /// The kernel's name of the interface, such as `eth0`. It can change while the index stays.
  public var name: String
  /// The kernel's index of the interface; unique in its network namespace while the interface lives.
  public var index: Int
  /// The medium that carries its packets.
  public var type: InterfaceType
  /// Whether its traffic is likely to cost money or count against a quota.
  public var isExpensive: Bool
  /// Whether the user asked programs to use little data on it.
  public var isConstrained: Bool
  /// The names of the interfaces that carry this one's packets: the ports of a bridge or bond, the
  /// parent of a VLAN, the interface below a tunnel. Empty when there are none or they are unknown.
  public var underlying: [String]
  /// The types of all interfaces that carry this one's packets, including those below ``underlying``, each once. A VPN
  /// over a mobile network has `.cellular`. Empty when there are none or they are unknown, as from an older service.
  public var underlyingTypes: [InterfaceType]
  /// The largest packet the link carries, in bytes. Source: `IFLA_MTU`; `nil` when the kernel did not say.
  public var mtu: Int?
  /// The link-layer address as colon-separated hexadecimal bytes. Source: `IFLA_ADDRESS`; `nil`
  /// when the link has none.
  public var hardwareAddress: String?
  /// The addresses that a program can use as a source, with their prefix lengths: without link-local addresses and
  /// those still under duplicate address detection.
  public var addresses: [Address]
  /// The name of the kernel driver; `nil` for virtual interfaces and where sysfs cannot be read.
  public var driver: String?
  /// Whether evidence about the expense exists that could not be read, and nothing stronger decides;
  /// see ``Cost/isUndetermined``. ``isExpensive`` is then false.
  public var isExpenseUndetermined: Bool
  /// The other names of the interface, set with `ip link property add dev NAME altname OTHER`. Source:
  /// `IFLA_ALT_IFNAME`; empty when there are none, or as from an older service.
  public var alternativeNames: [String]
  /// The name of the wireless network that the interface is connected to, its SSID. Source: nl80211; `nil` when the
  /// interface is not wireless or not connected, and as from an older service.
  ///
  /// An SSID is up to 32 bytes of anything. If they are not UTF-8, each byte that is not ASCII, and each backslash, is
  /// `\xNN`.
  public var networkName: String?
  /// The IPv6 prefixes of 64 bits that the network has given up: addresses in them are deprecated, and none is
  /// preferred any more. New connections use others, and those over the former may be routed still, or not. Source:
  /// `IFA_F_DEPRECATED`; empty when there are none, and as from an older service.
  public var deprecatedPrefixes: [Address] = []

  /// An interface of the given identity; everything that is left out is absent or false.
  public init(
    name: String, index: Int, type: InterfaceType, isExpensive: Bool = false, isConstrained: Bool = false,
    underlying: [String] = [], underlyingTypes: [InterfaceType] = [], mtu: Int? = nil, hardwareAddress: String? = nil,
    addresses: [Address] = [], driver: String? = nil, isExpenseUndetermined: Bool = false,
    alternativeNames: [String] = [], networkName: String? = nil
  ) {
    self.name = name
    self.index = index
    self.type = type
    self.isExpensive = isExpensive
    self.isConstrained = isConstrained
    self.underlying = underlying
    self.underlyingTypes = underlyingTypes
    self.mtu = mtu
    self.hardwareAddress = hardwareAddress
    self.addresses = addresses
    self.driver = driver
    self.isExpenseUndetermined = isExpenseUndetermined
    self.alternativeNames = alternativeNames
    self.networkName = networkName
  }
}

extension NetworkInterface: FieldObject {
  package static let typeName = "Interface"
  package static let blank = NetworkInterface(name: "", index: 0, type: .other)

  /// The table of the fields.
  package static let fields: [Field<NetworkInterface>] = [
    Field("name", \.name, { $0.name = $1 }, "The kernel's name of the interface."),
    Field("index", \.index, { $0.index = $1 }, "The kernel's index of the interface."),
    Field("type", \.type, { $0.type = $1 }, "The medium: \(InterfaceType.allNames)."),
    Field(
      "isExpensive", \.isExpensive, { $0.isExpensive = $1 },
      "true if its traffic is likely to cost money or to count against a quota."),
    Field(
      "isConstrained", \.isConstrained, { $0.isConstrained = $1 },
      "true if programs are asked to use little data on it."),
    Field(
      "underlying", \.underlying, { $0.underlying = $1 },
      "The interfaces that carry its packets: ports of a bridge, the interface below a tunnel."),
    Field(
      "underlyingTypes", \.underlyingTypes, { $0.underlyingTypes = $1 },
      "The types of these interfaces and of those below them, each once."),
    Field("mtu", \.mtu, { $0.mtu = $1 }, "The largest packet that the link carries, in bytes."),
    Field(
      "hardwareAddress", \.hardwareAddress, { $0.hardwareAddress = $1 },
      "The link-layer address, as hexadecimal bytes with colons between."),
    Field(
      "addresses", \.addresses, { $0.addresses = $1 },
      "The addresses that programs can use, with the lengths of their prefixes."),
    Field("driver", \.driver, { $0.driver = $1 }, "The kernel driver; null for virtual interfaces."),
    Field(
      "isExpenseUndetermined", \.isExpenseUndetermined, { $0.isExpenseUndetermined = $1 },
      "true if evidence about the expense exists that could not be read, and nothing stronger decides."),
    Field(
      "alternativeNames", \.alternativeNames, { $0.alternativeNames = $1 },
      "Its other names, as 'ip link property add dev NAME altname OTHER' sets them."),
    Field(
      "networkName", \.networkName, { $0.networkName = $1 },
      """
      The name of the wireless network that it is connected to, its SSID, or null. If that is not UTF-8, each byte that \
      is not ASCII is \\xNN, and so is a backslash.
      """),
    Field(
      "deprecatedPrefixes", \.deprecatedPrefixes, { $0.deprecatedPrefixes = $1 },
      "The IPv6 prefixes that the network has given up: no address in them is preferred any more."),
  ]
}

extension NetworkInterface: Hashable, Encodable {
  /// Equality of all fields, of texts by their bytes. It is written out, because every evaluation compares interfaces
  /// and a walk through the table takes longer; a test compares both.
  public static func == (left: NetworkInterface, right: NetworkInterface) -> Bool {
    left.index == right.index && left.type == right.type && left.mtu == right.mtu
      && left.isExpensive == right.isExpensive && left.isConstrained == right.isConstrained
      && left.isExpenseUndetermined == right.isExpenseUndetermined && left.addresses == right.addresses
      && left.deprecatedPrefixes == right.deprecatedPrefixes
      && left.underlyingTypes == right.underlyingTypes && left.name.exact == right.name.exact
      && left.hardwareAddress?.exact == right.hardwareAddress?.exact && left.driver?.exact == right.driver?.exact
      && left.networkName?.exact == right.networkName?.exact && left.exactUnderlying == right.exactUnderlying
      && left.alternativeNames.map(\.exact) == right.alternativeNames.map(\.exact)
  }

  /// Hashes what distinguishes most interfaces.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(index)
    hasher.combine(name)
    hasher.combine(addresses)
  }

  /// Encodes the interface as it is written in JSON.
  public func encode(to encoder: any Encoder) throws { try encodeFields(to: encoder) }
}

extension NetworkInterface {
  /// The name, for comparisons.
  package var exactName: ExactText { name.exact }

  /// The names in ``underlying``, for comparisons.
  package var exactUnderlying: [ExactText] { underlying.map(\.exact) }

  /// Whether this is the name of the interface, or one of its alternative names.
  package func isCalled(_ name: ExactText) -> Bool {
    exactName == name || alternativeNames.contains { $0.exact == name }
  }
}
