/// What an administrator configures for everyone: the section `[Monitor]`.
package struct MonitorConfiguration: Hashable, Sendable {
  /// The destinations that stand for the Internet; `nil` for the standard ones.
  package var probes: ProbeAddresses?
  /// How long a change must rest for those who do not say; `nil` for the standard times.
  package var settle: SettleTimes?

  /// Nothing is configured.
  package init() {}

  /// Why a configuration file is not taken.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, from 1.
    package let line: Int
    /// What is wrong and what is allowed, without a full stop.
    package let message: String

    /// The line and the message.
    package var description: String { "line \(line): \(message)" }
  }

  private enum Key: String, CaseIterable {
    case probe = "Probe"
    case settle = "Settle"
  }

  /// Reads the text of a configuration file, in the way of systemd.syntax(7): sections, `Key=value`, and comments on
  /// lines of their own. A file with a mistake is not taken at all.
  ///
  /// - Throws: ``Problem`` with the first mistake.
  package init(parsing text: String) throws(Problem) {
    var addresses: [IPAddress] = []
    var isInSection = false
    // By Unicode scalars: the end of a line with a carriage return before it is one character.
    let pieces = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, piece) in pieces.enumerated() {
      let line = Line(piece, number: index + 1)
      if line.isEmpty { continue }
      if let section = line.section {
        guard section == "Monitor" else {
          throw line.problem("there is no section \("[\(section)]".quotedInLine); allowed: [Monitor]")
        }
        isInSection = true
        continue
      }
      guard let (name, value) = line.assignment else {
        throw line.problem("this is neither a section, Key=value, nor a comment that starts with '#' or ';'")
      }
      guard isInSection else {
        throw line.problem("\("\(name)=".quotedInLine) stands before any section; write [Monitor] above it")
      }
      try take(name, value, line, &addresses)
    }
    if !addresses.isEmpty { probes = ProbeAddresses(addresses) }
  }

  private mutating func take(
    _ name: String, _ value: String, _ line: Line, _ addresses: inout [IPAddress]
  ) throws(Problem) {
    switch Key(rawValue: name) {
    case .probe:
      // As in systemd: nothing takes back what was listed before.
      if value.isEmpty { addresses = [] }
      for word in value.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
        guard let address = IPAddress(String(word)) else {
          throw line.problem("\(String(word).quotedInLine) is no address for Probe=: IPv4 or IPv6 in numbers is needed")
        }
        addresses.append(address)
        guard addresses.count(where: { $0.family == address.family }) <= ProbeAddresses.limit else {
          throw line.problem("there are more than \(ProbeAddresses.limit) probes of a family")
        }
      }
    case .settle:
      do throws(TimeSpan.ParseError) {
        settle = value.isEmpty ? nil : SettleTimes(try TimeSpan.parse(value))
      } catch {
        throw line.problem("\(value.quotedInLine) is no time for Settle=: \(error); write for example 200ms")
      }
    case nil:
      let names = Key.allCases.map(\.rawValue)
      throw line.problem(
        """
        there is no key \(name.quotedInLine) in [Monitor]\(Suggestion.text(for: name, among: names)); \
        allowed: \(names.map { "\($0)=" }.joined(separator: ", "))
        """)
    }
  }

  /// A line without the white space around it.
  private struct Line {
    let number: Int
    let text: Substring.UnicodeScalarView.SubSequence

    init(_ text: String.UnicodeScalarView.SubSequence, number: Int) {
      self.number = number
      self.text = Self.trimmed(text)
    }

    private static func trimmed(
      _ text: Substring.UnicodeScalarView.SubSequence
    ) -> Substring.UnicodeScalarView.SubSequence {
      var rest = text.drop { isBlank($0) }
      while let last = rest.last, isBlank(last) { rest.removeLast() }
      return rest
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
      scalar == " " || scalar == "\t" || scalar == "\r"
    }

    var isEmpty: Bool { text.first.map { $0 == "#" || $0 == ";" } ?? true }

    var section: String? {
      guard text.first == "[", text.last == "]" else { return nil }
      return String(text.dropFirst().dropLast())
    }

    var assignment: (name: String, value: String)? {
      guard let sign = text.firstIndex(of: "="), sign != text.startIndex else { return nil }
      return (
        String(Self.trimmed(text[..<sign])), String(Self.trimmed(text[text.index(after: sign)...]))
      )
    }

    func problem(_ message: String) -> Problem { Problem(line: number, message: message) }
  }
}
