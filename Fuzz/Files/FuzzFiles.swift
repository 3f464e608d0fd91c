import PathConfiguration
import PathDecisions
import PathModel

/// libFuzzer's entry for what others may have made: files of overrides, leases and rules, and answers of interfaces for
/// the sign-in.
///
/// The first byte selects the kind of file. It also decides whether the rest is repeated up to the size limit of such a
/// file: a parser that takes more than linear time shows then. `Fuzz/run` limits the time and memory of an input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFiles(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
  guard let kind = input.first, input.count > 1 else { return 0 }
  var bytes = Array(input.dropFirst())
  if kind & 0x80 != 0 {
    let piece = bytes
    while bytes.count < 1 << 16 { bytes += piece }
  }
  switch kind & 0x7 {
  case 0: checkOverrides(bytes)
  case 1, 2, 3:
    // A format may look at the name first: each gets a name of each.
    for format in LeaseFormat.all {
      for other in LeaseFormat.all { checkPortals(format.parse(bytes, other.exampleName)) }
    }
  case 4: checkAnswer(bytes)
  default: checkRule(String(decoding: bytes, as: UTF8.self))
  }
  return 0
}

/// The address of a portal is short, and of signs that mean nothing to a terminal.
private func checkPortals(_ leases: RecordedLeases) {
  let portals = (leases.byIndex.values.flatMap(\.self) + leases.byName.values.flatMap(\.self)).compactMap(\.portal)
  portals.forEach(checkPortal)
}

private func checkPortal(_ portal: String) {
  let isOfWeb = ["http://", "https://"].contains { portal.lowercased().hasPrefix($0) }
  guard portal.utf8.count <= 1_024, portal.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), isOfWeb
  else { fatalError("no address: \(portal.debugDescription)") }
}

/// An answer is short, its pages can be shown and opened, and its words are one line that the service takes.
private func checkAnswer(_ bytes: [UInt8]) {
  let body = Array(bytes.prefix(PortalAnswer.longest + 1))
  let answer = WebAnswer(result: .success(.init(status: 200, mediaType: PortalAnswer.mediaType, body: body)))
  let validation = PathValidation([], announced: answer)
  for text in validation.evidence.map(\.text) where text.inOneLine != text || text.utf8.count > 1_024 {
    fatalError("no line: \(text.debugDescription)")
  }
  if let page = validation.portal { checkPortal(page) }
}

/// No moment in an override file overflows in arithmetic.
private func checkOverrides(_ bytes: [UInt8]) {
  guard let json = try? JSONValue(parsing: bytes), let file = try? OverrideFile(json: json) else { return }
  for override in file.table.overrides {
    for moment in [override.expires, override.setAt].compactMap(\.self) {
      guard abs(moment) <= OverrideFile.latestMoment else { fatalError("a moment out of range: \(moment)") }
    }
    guard override.words.inOneLine == override.words else { fatalError("more than a line: \(override.words)") }
  }
  var table = file.table
  _ = table.removeExpired(at: 1 << 50)
}

/// A rule that was read can be asked, and a problem is one line.
private func checkRule(_ text: String) {
  do {
    let file = try ConfigurationFile(parsing: text, path: "a.conf")
    guard let rule = file.rule else { return }
    for name in ["eth0", String(repeating: "a", count: 15)] {
      _ = rule.match.names?.alternatives.contains { $0.matches(name) }
    }
  } catch {
    guard !error.description.contains("\n") else { fatalError("a problem of two lines: \(error)") }
  }
}
