import PathModel
import PathTestSupport
import Testing

@Suite("Names that others choose")
struct HostileNameTests {
  private static func isSame(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }

  @Test(arguments: HostileNames.all)
  func `a line for people has no scalar that garbles a terminal, and all others`(name: String) {
    let line = name.inOneLine
    for scalar in line.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: Issue.record("\(line.debugDescription)")
      default: break
      }
    }
    #expect(Self.isSame(line, line.inOneLine))
    #expect(HostileNames.garbling.contains(name) || Self.isSame(line, name))
  }

  @Test(arguments: HostileNames.all)
  func `markup has no byte that ends a text or an attribute, and reads as the name`(name: String) {
    #expect(!name.inMarkup.utf8.contains { "<>\"'".utf8.contains($0) })
    // Every ampersand begins a reference.
    let pieces = name.inMarkup.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    var text = Array(pieces[0])
    let signs = ["amp;": "&", "lt;": "<", "gt;": ">", "quot;": "\"", "#39;": "'"]
    for piece in pieces.dropFirst() {
      let reference = signs.first { piece.starts(with: $0.key.utf8) }
      text += Array((reference?.value ?? "no reference").utf8) + piece.dropFirst(reference?.key.utf8.count ?? 0)
    }
    let line = name.inOneLine
    let isForbidden = line.unicodeScalars.contains { $0 == "\u{FFFE}" || $0 == "\u{FFFF}" }
    #expect(isForbidden || text == Array(line.utf8))
  }

  @Test(arguments: HostileNames.all)
  func `a field between commas is read back, and no part of it is a formula`(name: String) {
    let field = Array(name.commaSeparatedField.utf8)
    // RFC 4180: a field with a comma, a quotation mark or a line break stands in quotation marks, which are doubled.
    var value = field
    if field.first == UInt8(ascii: "\"") {
      value = []
      var index = 1
      while index < field.count - 1 {
        value.append(field[index])
        if field[index] == UInt8(ascii: "\"") {
          #expect(field[index + 1] == UInt8(ascii: "\"") && index + 1 < field.count - 1)
          index += 1
        }
        index += 1
      }
      #expect(field.count > 1 && field.last == UInt8(ascii: "\""))
    } else {
      #expect(!field.contains { [UInt8(ascii: ","), UInt8(ascii: "\""), 10, 13, 9].contains($0) })
    }
    let text = String(decoding: value, as: UTF8.self)
    #expect(Self.isSame(String(text.unicodeScalars.filter { $0 != "'" }), Self.withoutApostrophes(name.inOneLine)))
    for part in text.unicodeScalars.split(separator: ";") {
      let first = part.first { $0 != " " && $0 != "\"" }
      #expect(first.map { "=+-@＝＋－＠".unicodeScalars.contains($0) } != true, "\(text)")
    }
  }

  private static func withoutApostrophes(_ text: String) -> String { String(text.unicodeScalars.filter { $0 != "'" }) }

  @Test(arguments: HostileNames.all)
  func `a shell completes a name only if it is one visible line, and zsh cuts it nowhere`(name: String) {
    #expect(name.isCompletable == !HostileNames.garbling.contains(name))
    var rest = name.describedForZsh.unicodeScalars[...]
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      #expect(scalar != ":")
      text.append(scalar == "\\" ? rest.popFirst() ?? "\u{0}" : scalar)
    }
    #expect(Self.isSame(String(text), name))
    #expect(!name.isPlainForBash || name.utf8.allSatisfy { !" '\"<>&$`\\;|()#~%!*?[]{}^".utf8.contains($0) })
  }

  @Test(arguments: HostileNames.all)
  func `a word of a shell is one visible line`(name: String) {
    for word in [name.shellWord, name.shellWordOfName] {
      #expect(Self.isSame(word, word.inOneLine))
      #expect(!word.utf8.contains(UInt8(ascii: "\n")))
    }
  }

  @Test func `a name of plain signs is the same word of a shell`() {
    for name in ["eth0", "wlp0s20f3", "br-lan.7", "fe80::1%eth0", "café", "veth@if3", "/run/user/0/x"] {
      #expect(name.shellWord == name)
    }
    #expect("".shellWord == "''")
    #expect("a b;c".shellWord == #"a\ b\;c"#)
    #expect("a\u{202E}b".shellWord == #""$(printf 'a\342\200\256b')""#)
  }

  @Test func `different bytes are different names, and each name gives its bytes back`() {
    let names: [[UInt8]] =
      HostileNames.all.map { Array($0.utf8) } + (0x01...0xFF).map { [$0] }
      + (0x80...0xFF).flatMap {
        [Array("\\x\(String($0, radix: 16))".utf8), Array("\\".utf8) + [$0], [0x5C, 0x5C, $0]]
      }
    let texts = names.map { String(nameBytes: $0) }
    #expect(Set(texts.map(\.exact)).count == Set(names).count)
    #expect(texts.map(\.nameBytes) == names)
    #expect(String(nameBytes: Array(#"a\b"#.utf8)) == #"a\b"#)
    #expect(String(nameBytes: [0x61, 0xFF]) == #"a\xff"#)
  }

  @Test(arguments: [
    ("eth0", "eth0"), ("", ""), ("Café 😀", "Café 😀"), ("a\nverdict: b", #"a\nverdict: b"#),
    ("\u{1B}[2J\u{9B}2J\u{7F}", #"\u{1B}[2J\u{009B}2J\u{7F}"#),
    ("\u{202E}\u{2066}\u{200F}", #"\u{202E}\u{2066}\u{200F}"#),
    ("\u{2028}\u{2029}\u{FEFF}", #"\u{2028}\u{2029}\u{FEFF}"#),
  ])
  func `characters that would garble a terminal or forge a line are escaped, once`(text: String, expected: String) {
    #expect(text.inOneLine == expected)
    #expect(text.inOneLine.inOneLine == expected)
  }

  @Test func `the description of a path stays in its line, whatever its names are`() {
    let evil = "a\n\u{1B}[2J\u{202E}"
    var path = NetworkPath.over(.wifi)
    path.interfaces[0].name = evil
    path.gateways = [.literal("fe80::1").scoped(to: evil)]
    var offline = path.asUnsatisfied
    offline.unsatisfiedReason = UnsatisfiedReason(rawValue: evil)
    for text in ["\(path)", "\(offline)"] { #expect(text.inOneLine == text) }
  }
}
