import CNetlink
import KernelPath
import PathDecisions

@testable import KernelPath

/// A decoded message. Its type selects the decoder, as in the kernel's reader.
enum DecodedMessage: Hashable {
  case link(LinkMessage)
  case address(AddressFacts?)
  case route(RouteFacts)
  case rule(PolicyRule?)
  case neighbour(NeighbourFacts?)
  case result(errorNumber: Int32)
  case hint(type: UInt16)

  /// All messages of a datagram.
  static func all(in datagram: [UInt8]) throws(NetlinkDecodingError) -> [DecodedMessage] {
    var messages: [DecodedMessage] = []
    var rest = NetlinkMessages(datagram.span)
    while let message = try rest.next() { messages.append(try decode(message)) }
    return messages
  }

  private static func decode(_ message: NetlinkMessage) throws(NetlinkDecodingError) -> DecodedMessage {
    switch message.type {
    case RTM_NEWLINK, RTM_DELLINK: .link(try LinkMessage(message))
    case RTM_NEWADDR, RTM_DELADDR: .address(try AddressFacts(message))
    case RTM_NEWROUTE, RTM_DELROUTE: .route(try RouteFacts(message))
    case RTM_NEWRULE, RTM_DELRULE: .rule(try PolicyRule(rule: message))
    case RTM_NEWNEIGH: .neighbour(try NeighbourFacts(message))
    case NLMSG_ERROR, NLMSG_DONE: .result(errorNumber: try message.errorNumber())
    default: .hint(type: message.type)
    }
  }
}

extension CapturedMessage {
  private var first: DecodedMessage? { try? DecodedMessage.all(in: bytes).first }

  /// The link of a datagram with one link message.
  var link: LinkMessage? {
    if case .link(let link)? = first { link } else { nil }
  }

  /// The address of a datagram with one address message.
  var address: AddressFacts? {
    if case .address(let address)? = first { address } else { nil }
  }

  /// The route of a datagram with one route message.
  var route: RouteFacts? {
    if case .route(let route)? = first { route } else { nil }
  }

  /// The rule of a datagram with one rule message.
  var rule: PolicyRule? {
    if case .rule(let rule)? = first { rule } else { nil }
  }

  /// The entry of a datagram with one message about a neighbour.
  var neighbour: NeighbourFacts? {
    if case .neighbour(let entry)? = first { entry } else { nil }
  }

  /// The errno of a datagram with one error message.
  var errorNumber: Int32? {
    guard case .result(let errorNumber)? = try? DecodedMessage.all(in: bytes).first else { return nil }
    return errorNumber
  }
}
