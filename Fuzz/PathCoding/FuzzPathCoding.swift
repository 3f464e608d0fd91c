import PathModel

/// libFuzzer's entry for what other programs and files give us as JSON: paths and overrides. A path
/// or override that was read is the same after it has been written and read again. Overrides never make an impossible
/// path.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPathCoding(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
  guard let json = try? JSONValue(parsing: input) else { return 0 }
  checkPath(json)
  checkOverrides(json)
  return 0
}

private func checkPath(_ json: JSONValue) {
  guard let path = try? NetworkPath(json: json) else { return }
  guard let again = try? NetworkPath(json: rewritten(path.write(to:))), again == path else {
    fatalError("the path does not read back: \(json)")
  }
  guard again.sequence == path.sequence, again.boottimeMicroseconds == path.boottimeMicroseconds,
    again.changed == path.changed
  else { fatalError("the update does not read back: \(json)") }
  for text in ["via=wifi", "via=eth0,ipv4", "offline", "not-unmetered-known"] {
    guard let requirement = try? PathRequirement(text) else { fatalError("'\(text)' is a requirement") }
    _ = requirement.verdict(on: path)
    checkConsistency(requirement.applied(to: path), from: path)
  }
}

private func checkOverrides(_ json: JSONValue) {
  guard let file = try? OverrideFile(json: json) else { return }
  guard let again = try? OverrideFile(json: rewritten(file.write(to:))), again == file else {
    fatalError("the overrides do not read back: \(json)")
  }
  var path = NetworkPath(status: .satisfied, knowledge: .known)
  path.interfaces = [
    NetworkInterface(name: "wlan0", index: 3, type: .wifi, underlying: ["eth0", "eth1"]),
    NetworkInterface(name: "eth0", index: 2, type: .wiredEthernet),
  ]
  checkConsistency(file.table.applied(to: path), from: path)
}

/// After overrides, a path that was satisfied or had usable interfaces is either satisfied without a reason, or
/// unsatisfied with one.
private func checkConsistency(_ narrowed: NetworkPath, from path: NetworkPath) {
  if narrowed == path { return }
  switch narrowed.status {
  case .satisfied: if narrowed.interfaces.isEmpty { fatalError("satisfied over nothing: \(narrowed) from \(path)") }
  case .unsatisfied:
    if narrowed.interfaceType != nil, path.status == .satisfied { fatalError("offline over something: from \(path)") }
    if narrowed.unsatisfiedReason == nil, path.status == .satisfied {
      fatalError("offline for no reason: from \(path)")
    }
  case .requiresConnection: if path.status != .requiresConnection { fatalError("no longer decided: from \(path)") }
  }
}

private func rewritten(_ write: (inout JSONWriter) -> Void) throws -> JSONValue {
  var writer = JSONWriter()
  write(&writer)
  return try JSONValue(parsing: writer.bytes)
}
