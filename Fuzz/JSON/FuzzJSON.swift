/// libFuzzer's entry: reading must not trap, whatever the bytes, and a value must be the same after it has been written
/// and read again.
///
/// The sources of `JSON` are compiled into the same module, so that they are instrumented too:
///
///     swiftc -sanitize=fuzzer,address -parse-as-library -O -package-name pathmonitor -module-name FuzzJSON \
///       Sources/Path/PathModel/JSON/*.swift Fuzz/JSON/FuzzJSON.swift -o fuzz-json
///     SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 ./fuzz-json -max_total_time=60
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
  guard let value = try? JSONValue(parsing: input) else { return 0 }
  checkLookUps(in: value)
  let text = written(value)
  do {
    let readBack = try JSONValue(parsing: text)
    guard readBack == value else { fatalError("reads back as another value: \(value)") }
    // Equality does not see the sign of zero and the composition of characters.
    guard written(readBack) == text else { fatalError("is written differently the second time: \(value)") }
  } catch {
    fatalError("what was written does not read back: \(error): \(value)")
  }
  return 0
}

/// A look-up gives the last value of a key.
private func checkLookUps(in value: JSONValue) {
  switch value {
  case .array(let elements): elements.forEach(checkLookUps)
  case .object(let object):
    var last: [[UInt8]: JSONValue] = [:]
    for member in object.members {
      last[Array(member.key.utf8)] = member.value
      checkLookUps(in: member.value)
    }
    for (key, value) in last where object[String(decoding: key, as: UTF8.self)] != value {
      fatalError("'\(key)' is not looked up: \(object)")
    }
  default: break
  }
}

private func written(_ value: JSONValue) -> [UInt8] {
  var writer = JSONWriter()
  value.write(to: &writer)
  return writer.bytes
}
