public import ConnectivityCore
public import Foundation
internal import PathModel

/// One end of a connection, as Apple's Network framework names it, as far as paths need it.
public enum NWEndpoint: Hashable, Sendable {
  /// A host and a port.
  case hostPort(host: Host, port: Port)
  /// A service of DNS-SD.
  case service(name: String, type: String, domain: String, interface: NWInterface?)
  /// The path of a Unix socket.
  case unix(path: String)
  /// A URL, as programs name the far end of a WebSocket. No path has one.
  case url(URL)

  /// The host of an endpoint.
  public enum Host: Hashable, Sendable {
    /// A name, and the interface it is to be looked up on.
    case name(String, NWInterface?)
    /// An IPv4 address.
    case ipv4(IPv4Address)
    /// An IPv6 address.
    case ipv6(IPv6Address)

    /// An address, or else a name.
    public init(_ text: String) {
      if let address = IPv4Address(text) {
        self = .ipv4(address)
      } else if let address = IPv6Address(text) {
        self = .ipv6(address)
      } else {
        self = .name(text, nil)
      }
    }

    /// The interface that the host is bound to; `nil` for none.
    public var interface: NWInterface? {
      switch self {
      case .name(_, let interface): interface
      case .ipv4(let address): address.interface
      case .ipv6(let address): address.interface
      }
    }
  }

  /// The port of an endpoint.
  public struct Port: RawRepresentable, Hashable, Sendable {
    /// The number of the port.
    public let rawValue: UInt16

    /// A port by number. Every number is a port: the result is optional as that of Apple's initializer is.
    public init?(rawValue: UInt16) { self.rawValue = rawValue }

    /// A port by number, or by one of the names of this type's constants; `nil` for anything else.
    public init?(_ text: String) {
      if let number = UInt16(text) {
        rawValue = number
      } else if let port = Self.names[text] {
        self = port
      } else {
        return nil
      }
    }

    private static let names: [String: Port] = [
      "any": .any, "ssh": .ssh, "smtp": .smtp, "http": .http, "pop": .pop, "imap": .imap, "https": .https,
      "imaps": .imaps, "socks": .socks,
    ]

    /// Any port: the system chooses one.
    public static let any: Port = 0
    /// Secure Shell.
    public static let ssh: Port = 22
    /// Mail on its way.
    public static let smtp: Port = 25
    /// The Web without encryption.
    public static let http: Port = 80
    /// A mailbox, by the Post Office Protocol.
    public static let pop: Port = 110
    /// A mailbox, by the Internet Message Access Protocol.
    public static let imap: Port = 143
    /// The Web.
    public static let https: Port = 443
    /// A mailbox, by the Internet Message Access Protocol with encryption.
    public static let imaps: Port = 993
    /// A SOCKS proxy.
    public static let socks: Port = 1080
  }

  /// The interface that the endpoint is bound to; `nil` for none.
  public var interface: NWInterface? {
    switch self {
    case .hostPort(let host, _): host.interface
    case .service(_, _, _, let interface): interface
    case .unix, .url: nil
    }
  }
}

extension NWEndpoint.Port: ExpressibleByIntegerLiteral {
  /// A port by number.
  public init(integerLiteral value: UInt16) { rawValue = value }
}

extension NWEndpoint.Port: CustomDebugStringConvertible {
  /// The number.
  public var debugDescription: String { String(rawValue) }
}

extension NWEndpoint.Host: ExpressibleByStringLiteral, CustomDebugStringConvertible {
  /// An address, or else a name.
  public init(stringLiteral value: String) { self.init(value) }

  /// The name or address.
  public var debugDescription: String {
    switch self {
    case .name(let name, _): name
    case .ipv4(let address): address.debugDescription
    case .ipv6(let address): address.debugDescription
    }
  }
}

extension NWEndpoint: CustomDebugStringConvertible {
  /// The endpoint as Apple's framework prints it, such as `192.0.2.1:443` or `2001:db8::1.443`.
  public var debugDescription: String {
    switch self {
    case .hostPort(.ipv6(let address), let port): "\(address.debugDescription).\(port.rawValue)"
    case .hostPort(let host, let port): "\(host.debugDescription):\(port.rawValue)"
    case .service(let name, let type, let domain, _): "\(name).\(type).\(domain)"
    case .unix(let path): path
    case .url(let url): url.absoluteString
    }
  }
}

/// The ends that a path names. They are here and not in `ConnectivityCore`, because ``NWEndpoint`` needs Foundation.
extension NWPath {
  /// The routers of the usable interfaces, in order of preference. A link-local IPv6 address has its interface.
  public var gateways: [NWEndpoint] {
    networkPath.gateways.compactMap { gateway in
      let interface = networkPath.interfaces.first { $0.exactName == gateway.scope?.exact }.map { NWInterface($0) }
      let host: NWEndpoint.Host? =
        switch gateway.family {
        case .ipv4: IPv4Address(gateway).map { .ipv4($0) }
        case .ipv6: IPv6Address(gateway, interface: interface).map { .ipv6($0) }
        }
      return host.map { .hostPort(host: $0, port: .any) }
    }
  }

  /// The near end of a connection; always `nil`, because the path does not belong to a connection.
  public var localEndpoint: NWEndpoint? { nil }
  /// The far end of a connection; always `nil`, because the path does not belong to a connection.
  public var remoteEndpoint: NWEndpoint? { nil }
}
