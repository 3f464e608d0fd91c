import Programs
import Testing

@Suite("Help on a terminal")
struct HelpLayoutTests {
  private static let long = Array(repeating: "word", count: 30).joined(separator: " ")

  @Test func `paragraphs are filled to the width of a line, and begin a line of their own`() {
    let lines = HelpLayout.text([.text(Self.long), .text("End.")]).split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0].count == 99)
    #expect(lines[2] == "End.")
  }

  @Test func `meanings stand in one column behind terms that are short`() {
    #expect(
      HelpLayout.text([.text("These:"), .item(term: "stop", text: "ends it"), .item(term: "continue", text: "nothing")])
        == """
        These:
          stop      ends it
          continue  nothing

        """)
    let lines = HelpLayout.text([.item(term: "stop", text: Self.long)]).split(separator: "\n")
    #expect(lines[1].hasPrefix("        word"))
    #expect(!lines[1].hasPrefix("         "))
  }

  @Test func `a long term has its meaning right behind it`() {
    let term = "PATH_STATUS, PATH_KNOWLEDGE"
    #expect(
      HelpLayout.text([.item(term: term, text: "words"), .item(term: "PATH_JSON", text: "all of it")])
        == "  \(term)  words\n  PATH_JSON  all of it\n")
  }

  @Test func `a paragraph that is set apart is indented in every line`() {
    let lines = HelpLayout.text([.apart(Self.long)]).split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasPrefix("  word") && $0.count <= 100 })
  }

  @Test func `no pieces are no lines`() {
    #expect(HelpLayout.text([]).isEmpty)
  }
}
