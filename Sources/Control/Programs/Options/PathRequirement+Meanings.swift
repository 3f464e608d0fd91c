package import PathModel

/// The meanings of the parts of a requirement, for shells that show them beside the words.
extension PathRequirement.Word {
  /// The condition that the word stands for, as a phrase.
  package var meaning: String {
    switch self {
    case .connected: "there is a usable route"
    case .offline: "there is no usable route"
    case .unmetered: "the path is not metered, as far as is known"
    case .unmeteredKnown: "the path is not metered, and that is no guess"
    case .unconstrained: "no one has asked to save data"
    case .wifi: "the path uses Wi-Fi, also below a VPN"
    case .cellular: "the path uses a mobile network, also below a VPN"
    case .ethernet: "the path uses a cable, also below a VPN"
    case .vpn: "a tunnel carries the traffic"
    case .ipv4: "IPv4 destinations can be reached"
    case .ipv6: "IPv6 destinations can be reached"
    case .dns: "a name server is configured; it is not asked"
    case .validated: "the Internet is known to answer"
    case .portal: "the network wants a sign-in"
    }
  }
}

extension PathRequirement.Key {
  /// The condition that the key stands for, as a phrase.
  package var meaning: String {
    switch self {
    case .interface: "this interface carries the traffic"
    case .type: "the path uses interfaces of this type"
    case .via: "a usable path goes through this interface or type"
    }
  }

  /// The placeholders for the value behind the equals sign.
  package var placeholders: [String] {
    switch self {
    case .interface: ["NAME"]
    case .type: ["TYPE"]
    case .via: ["NAME", "TYPE"]
    }
  }
}
