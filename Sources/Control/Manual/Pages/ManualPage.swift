internal import PathModel
internal import Programs

/// A manual page in the language of man(7), from top to bottom.
struct ManualPage {
  /// The page so far.
  private(set) var source: String
  /// The words that stand for a value, such as `TIME`; the page sets them in italics.
  private let placeholders: Set<String>

  /// Creates a page that begins with its name and its purpose.
  ///
  /// - Parameters:
  ///   - name: The name of the page.
  ///   - others: Other subjects of the page.
  ///   - section: The section of the manual, from 1 to 8.
  ///   - purpose: The line that `apropos` finds.
  ///   - placeholders: The words that stand for a value.
  init(_ name: String, also others: [String] = [], section: Int, purpose: String, placeholders: Set<String>) {
    self.placeholders = placeholders
    source = """
      .\\" Made of the tables of the program: do not edit.
      .\\" Paragraphs set hyphenation anew, from this register.
      .nr HY 0
      .TH \(name.uppercased()) \(section) "" "PathMonitor \(PathMonitorVersion.current)" "PathMonitor"
      .\\" Neither hyphens nor wide spaces: names of files and options stay as they are.
      .nh
      .ad l
      .SH NAME
      \(([name] + others).map(\.inRoff).joined(separator: ", ")) \\- \(purpose.inRoff)

      """
  }

  /// Begins a section.
  mutating func section(_ title: String) { add(".SH \(title.uppercased().inRoff)") }

  /// Begins a part of a section, under a line that is set like a command.
  mutating func subsection(_ title: String) { add(".SS \(Roff.marked(title, placeholders))") }

  /// A paragraph that is filled.
  mutating func paragraph(_ text: String) {
    add(".PP")
    add(Roff.line(text, placeholders))
  }

  /// A paragraph under a term, or under several lines of terms.
  mutating func item(_ terms: String..., text: String) { item(terms, text: text) }

  /// A paragraph under a term, or under several lines of terms.
  mutating func item(_ terms: [String], text: String) {
    for (index, term) in terms.enumerated() {
      add(index == 0 ? ".TP" : ".TQ")
      add(Roff.term(term, placeholders))
    }
    add(Roff.line(text, placeholders))
  }

  /// A line that is not filled, such as one of the synopsis.
  mutating func command(_ text: String) {
    add(Roff.term(text, placeholders))
    add(".br")
  }

  /// Lines as they are typed or printed, indented.
  mutating func example(_ text: String) {
    add(".PP")
    add(".RS 4\n.EX")
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) { add(Roff.literal(String(line))) }
    add(".EE\n.RE")
  }

  /// Pieces of the help of a program.
  mutating func help(_ blocks: [HelpBlock]) {
    for block in blocks {
      switch block {
      case .text(let text): paragraph(text)
      case .apart(let text):
        add(".RS 4")
        paragraph(text)
        add(".RE")
      case .item(let term, let text): item(term, text: text)
      }
    }
  }

  /// The options, one after the other; `remark` adds a sentence to one.
  mutating func options(_ options: [DocumentedOption], remark: (DocumentedOption) -> String? = { _ in nil }) {
    for option in options {
      let name = ([option.short].compactMap(\.self) + [option.name]).joined(separator: ", ")
      let text = [option.summary + ".", remark(option)].compactMap(\.self).joined(separator: " ")
      item(option.value.map { "\(name) \($0.name)" } ?? name, text: text)
    }
  }

  /// The last section: other pages.
  mutating func seeAlso(_ pages: String...) {
    section("See also")
    add(Roff.line(pages.joined(separator: ", "), placeholders))
  }

  private mutating func add(_ line: String) { source += line + "\n" }
}
