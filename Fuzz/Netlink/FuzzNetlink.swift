import PathDecisions
import PathModel

/// libFuzzer's entry for datagrams of the kernel, or of a program that poses as the kernel. Reading one must not trap,
/// and the values that come of it must stay in order.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNetlink(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe UnsafeBufferPointer(start: start, count: count)
  let datagram = unsafe input.span
  var state = KernelState()
  try? NetlinkMessage.forEach(in: datagram) { (message) throws(NetlinkDecodingError) in
    guard message.payload.lowerBound >= 16, message.payload.upperBound <= datagram.count else {
      fatalError("the payload \(message.payload) is not in the datagram")
    }
    try read(message, in: datagram, into: &state)
  }
  check(state)
  checkReplies(datagram)
  return 0
}

/// Collects the messages as replies to lookups. A decoded reply must read like the message itself.
private func checkReplies(_ datagram: Span<UInt8>) {
  guard let destination = IPAddress("193.0.14.129") else { fatalError("not an address") }
  let question = [RouteQuery(destination: destination, kind: .resolve)]
  try? NetlinkMessage.forEach(in: datagram) { (message) throws(NetlinkDecodingError) in
    guard message.isRouteReply else { return }
    var replies = RouteReplies()
    guard (try? replies.append(message, in: datagram, about: .ipv4)) != nil else { return }
    let answer = try? replies.answers(to: question).first
    if message.type == MessageType.error {
      guard case .refused = answer else { fatalError("an error is no refusal: \(String(describing: answer))") }
    } else {
      let route = (try? RouteFacts(message, in: datagram)).map { RouteAnswer.route($0) }
      guard answer == route else { fatalError("\(String(describing: answer)) instead of \(String(describing: route))") }
    }
  }
}

/// Every message is read as each kind, because the fuzzer should not have to find the type first.
private func read(
  _ message: NetlinkMessage, in datagram: Span<UInt8>, into state: inout KernelState
) throws(NetlinkDecodingError) {
  _ = try? message.errorNumber(in: datagram)
  if let route = try? RouteFacts(message, in: datagram) {
    guard route.legs.count <= datagram.count / 8 + 1 else { fatalError("more legs than fit: \(route)") }
  }
  if let rule = try? PolicyRule(rule: message, in: datagram) {
    guard rule.users.map({ $0.lowerBound <= $0.upperBound }) ?? true else { fatalError("not a range: \(rule)") }
  }
  if let wireless = try? WirelessMessage(message, in: datagram) {
    guard (1...32).contains(wireless.networkName?.bytes.count ?? 1) else { fatalError("not a name: \(wireless)") }
  }
  var tunnel = WireGuardMessage()
  if (try? tunnel.add(message, in: datagram)) != nil, tunnel.endpoints.count > datagram.count / 12 {
    fatalError("more servers than fit: \(tunnel)")
  }
  if let link = try? LinkMessage(message, in: datagram) {
    if let merged = link.merged(onto: state[link.facts.index]?.link) { state.update(merged) }
    guard link.merged(onto: link.facts) != nil else { fatalError("a known link became unknown: \(link)") }
  }
  if let address = try AddressFacts(message, in: datagram) {
    var change = AddressChanges()
    change.update(address)
    state.merge(change)
    let known = state
    state.merge(change)
    guard state == known else { fatalError("the second time makes a difference: \(address)") }
  }
}

private func check(_ state: KernelState) {
  let indices = state.interfaces.map(\.link.index)
  guard zip(indices, indices.dropFirst()).allSatisfy({ $0 < $1 }) else { fatalError("out of order: \(indices)") }
  var emptied = state
  for interface in state.interfaces {
    guard Set(interface.addresses).count == interface.addresses.count else { fatalError("twice: \(interface)") }
    var removals = AddressChanges()
    for address in interface.addresses { removals.remove(address) }
    emptied.merge(removals)
    guard emptied[interface.link.index]?.addresses.isEmpty == true else { fatalError("still there: \(interface)") }
  }
}
