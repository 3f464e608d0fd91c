import CNetlink
import PathDecisions

@testable import KernelPath

enum DecodedMessage {
  /// The values of all messages of a datagram. The type of each selects the decoder, as in the kernel's reader.
  static func all(in datagram: [UInt8]) throws(NetlinkDecodingError) -> [Any] {
    try MessageBuilder.decode(datagram, value)
  }

  private static func value(_ message: NetlinkMessage) throws(NetlinkDecodingError) -> Any {
    switch message.type {
    case RTM_NEWLINK, RTM_DELLINK: try LinkMessage(message)
    case RTM_NEWADDR, RTM_DELADDR: try AddressFacts(message) as Any
    case RTM_NEWROUTE, RTM_DELROUTE: try RouteFacts(message)
    case RTM_NEWRULE, RTM_DELRULE: try PolicyRule(rule: message) as Any
    case RTM_NEWNEIGH: try NeighbourFacts(message) as Any
    case NLMSG_ERROR, NLMSG_DONE: try message.errorNumber()
    default: message.type
    }
  }
}

extension CapturedMessage {
  var link: LinkMessage? { first() }
  var address: AddressFacts? { first() }
  var route: RouteFacts? { first() }
  var rule: PolicyRule? { first() }
  var neighbour: NeighbourFacts? { first() }
  var errorNumber: Int32? { first() }

  /// The value of the first message; `nil` for none, or one of another type.
  private func first<Value>() -> Value? { (try? DecodedMessage.all(in: bytes))?.first as? Value }
}
