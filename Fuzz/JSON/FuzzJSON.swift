/// libFuzzer's entry: whatever the bytes, reading them must not trap, and what was read must survive being written.
///
/// The sources of `JSON` are compiled into the same module, so that they are instrumented too:
///
///     swiftc -sanitize=fuzzer,address -parse-as-library -O -package-name pathmonitor -module-name FuzzJSON \
///       Sources/Path/JSON/*.swift Fuzz/JSON/FuzzJSON.swift -o fuzz-json
///     SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 ./fuzz-json -max_total_time=60
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
  guard let value = try? JSONValue(parsing: input) else { return 0 }
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

private func written(_ value: JSONValue) -> [UInt8] {
  var writer = JSONWriter()
  value.write(to: &writer)
  return writer.bytes
}
