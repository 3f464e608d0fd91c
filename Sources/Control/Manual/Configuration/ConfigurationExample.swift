internal import PathConfiguration

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
      text += "\n" + comment(meaning(of: key)) + "#\(key.name)=\(standard)\n"
    }
    return text
  }

  /// The example of the recorder's configuration: every key with its default, as a comment.
  package static var history: String {
    let path = "\(ConfigurationSelection.roots[0])/\(HistoryConfiguration.mainName)"
    let header = """
      # Configuration of pathmonitor-history.service, see pathmonitor-history.conf(5). Copy it to \(path).
      #
      # The lines that begin with '#' show the defaults. To change one, remove the '#', and then restart the service:
      # systemctl restart pathmonitor-history

      [History]

      """
    return HistoryConfiguration.keys.reduce(into: header) { text, key in
      text += "\n" + comment("\(key.meaning) Allowed: \(key.allowed).") + "#\(key.name)=\(key.standard)\n"
    }
  }

  /// The meaning, and the default if the line below the comment cannot show it.
  private static func meaning(of key: DocumentedKey) -> String {
    let standard = key.standard == "" ? key.standardInWords.map { " Empty, it is \($0)." } : nil
    return "\(key.meaning) Allowed: \(key.allowed).\(standard ?? "")"
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
