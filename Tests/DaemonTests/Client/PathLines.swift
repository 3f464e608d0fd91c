import PathModel

/// Lines of `pathctl watch --json`, compared as paths are.
enum PathLines {
  private static let passing = ["sequence", "boottimeMicroseconds", "changed"]

  /// The parts of a line that equality compares. It leaves out the evidence with its texts.
  static func essence(_ line: String) -> String {
    guard let object = (try? JSONValue(parsing: Array(line.utf8)))?.objectValue else { return line }
    return object.members.filter { !passing.contains($0.key) }.map { member in
      let cost = member.key == "cost" ? member.value.objectValue : nil
      let value =
        cost.map { $0.members.filter { $0.key != "evidence" }.map { "\($0.key)=\($0.value)" }.joined() }
        ?? member.value.description
      return "\(member.key)=\(value)"
    }.joined(separator: ",")
  }

  /// The number of lines that are equal to the one before.
  static func repetitions(in lines: [String]) -> Int {
    zip(lines, lines.dropFirst()).count { essence($0) == essence($1) }
  }
}
