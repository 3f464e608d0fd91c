internal import PathEngine

/// The page pathmonitor.conf(5).
enum ConfigurationPage {
  static var text: String {
    var page = ManualPage(
      "pathmonitor.conf", section: 5, purpose: "configuration of PathMonitor", placeholders: ["ADDRESS", "TIME"])
    page.section("Synopsis")
    page.command(ConfigurationFiles.defaultPath)
    page.section("Description")
    page.paragraph(
      """
      What an administrator configures for everyone. The service, pathmonitord(8), reads it when it starts and when \
      it is told to reload; pathctl(1) reads it when it asks the kernel itself. The file need not exist. Options of a \
      command line count for more.
      """)
    page.paragraph(
      """
      It is written as in systemd.syntax(7): sections in brackets, lines with a key and its value, and comments on \
      lines of their own that begin with # or ;. A file with a mistake is not used at all: the service goes on with \
      what it had, or with the standard, and says in the journal which line is wrong, and how it is right.
      """)
    page.section("Sections and keys")
    var section: String?
    for key in DocumentedKey.all {
      if key.section != section { page.subsection("[\(key.section)]") }
      section = key.section
      let standard = key.standard.flatMap { $0.isEmpty ? nil : " Without it: \($0)." } ?? ""
      page.item("\(key.name)=", text: "\(key.meaning) Allowed: \(key.allowed).\(standard)")
    }
    page.section("Examples")
    page.paragraph("A closed network, where a host in the data centre stands for the Internet:")
    page.example(
      """
      [Monitor]
      # The way to this address is what our programs need.
      Probe=10.0.0.1
      # Tell losses soon.
      Settle=100ms
      """)
    page.paragraph("Use what was changed, and see whether it was taken:")
    page.example(
      """
      systemctl reload pathmonitord
      pathctl explain
      """)
    page.seeAlso("pathmonitord(8)", "pathctl(1)", "systemd.syntax(7)", "systemd.time(7)")
    return page.source
  }
}
