/// The configuration file as it is shipped: every key that has a default, as a comment.
package enum ConfigurationExample {
  /// The file.
  package static var text: String {
    var text = """
      # Configuration of PathMonitor, see pathmonitor.conf(5).
      #
      # The lines that begin with '#' show the defaults. To change one, remove the '#', and then reload the service:
      # systemctl reload pathmonitord.

      """
    var section: String?
    for key in DocumentedKey.all {
      guard let standard = key.standard else { continue }
      if key.section != section { text += "\n[\(key.section)]\n" }
      section = key.section
      text += "\n" + comment("\(key.meaning) Allowed: \(key.allowed).") + "#\(key.name)=\(standard)\n"
    }
    return text
  }

  /// The text as lines of a comment.
  private static func comment(_ text: String) -> String {
    var lines = ["#"]
    for word in text.split(separator: " ") {
      if lines[lines.count - 1].count + word.count >= 100 { lines.append("#") }
      lines[lines.count - 1] += " " + word
    }
    return lines.map { $0 + "\n" }.joined()
  }
}
