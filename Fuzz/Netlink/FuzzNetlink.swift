import PathDecisions
import PathModel

/// libFuzzer's entry for datagrams of the kernel, or of a program that poses as the kernel. Reading one must not trap,
/// and the values that come of it must stay in order.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNetlink(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe UnsafeBufferPointer(start: start, count: count)
  let datagram = unsafe input.span
  var state = KernelState()
  try? readAll(datagram, into: &state)
  check(state)
  return 0
}

private func readAll(_ datagram: Span<UInt8>, into state: inout KernelState) throws(NetlinkDecodingError) {
  var messages = NetlinkMessages(datagram)
  while let message = try messages.next() {
    guard message.payload.place >= 16, message.payload.place + message.payload.count <= datagram.count else {
      fatalError("the payload is not in the datagram")
    }
    try read(message, within: datagram.count, into: &state)
  }
}

/// Every message is read as each kind, because the fuzzer should not have to find the type first.
///
/// - Parameter length: The length of the datagram, which limits what can be in it.
private func read(
  _ message: NetlinkMessage, within length: Int, into state: inout KernelState
) throws(NetlinkDecodingError) {
  _ = try? message.errorNumber()
  if let route = try? RouteFacts(message) {
    guard route.legs.count <= length / 8 + 1 else { fatalError("more legs than fit: \(route)") }
  }
  if case .refused(let errorNumber)? = try? RouteAnswer(message), errorNumber < 0 {
    fatalError("not an error number: \(errorNumber)")
  }
  if let rule = try? PolicyRule(rule: message) {
    guard rule.users.map({ $0.lowerBound <= $0.upperBound }) ?? true else { fatalError("not a range: \(rule)") }
  }
  if let entry = try? NeighbourFacts(message) {
    var records = RouterRecords()
    records.watch([entry.neighbour])
    guard !records.observe(entry, at: 0) || records.failed.isEmpty else { fatalError("failed at once: \(entry)") }
  }
  if let connection = try? ConnectionFacts(message) {
    let isFar = [connection.local, connection.remote].contains { $0.address.family != connection.socketFamily }
    guard !isFar || connection.socketFamily == .ipv6 else { fatalError("of another family: \(connection)") }
  }
  if let wireless = try? WirelessMessage(message) {
    guard (1...32).contains(wireless.networkName?.bytes.count ?? 1) else { fatalError("not a name: \(wireless)") }
  }
  if let object = try? NextHopMessage(message), object.members.count > length / 8 {
    fatalError("more members than fit: \(object)")
  }
  var tunnel = WireGuardMessage(for: [IPAddress(ipv4: 0xc000_0207)])
  if (try? tunnel.add(message)) != nil, tunnel.endpoints.count > length / 12 {
    fatalError("more servers than fit: \(tunnel)")
  }
  _ = try? MACsecMessage(message)
  var filters: [Int32: VLANFilter] = [:]
  if (try? VLANFilter.add(message, to: &filters)) != nil,
    filters.values.contains(where: { $0.ranges.count > length / 8 })
  {
    fatalError("more VLANs than fit: \(filters)")
  }
  if let link = try? LinkMessage(message) {
    if let merged = link.merged(onto: state[link.facts.index]?.link) { state.update(merged) }
    guard link.merged(onto: link.facts) != nil else { fatalError("a known link became unknown: \(link)") }
  }
  if let address = try AddressFacts(message) {
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
