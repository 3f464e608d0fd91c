internal import PathConfiguration

/// The page pathmonitor-history.conf(5).
enum HistoryConfigurationPage {
  static var text: String {
    var page = ManualPage(
      "pathmonitor-history.conf", section: 5,
      purpose: "the recorder of the network path, and its configuration", placeholders: [])
    page.section("Synopsis")
    for root in ConfigurationSelection.roots {
      page.command("\(root)/\(HistoryConfiguration.mainName)")
      page.command("\(root)/\(HistoryConfiguration.mainName).d/*.conf")
    }
    page.section("Description")
    page.paragraph(
      """
      pathmonitor-history.service records each change of the network path for pathctl history. It is not enabled when \
      the package is installed: systemctl enable --now pathmonitor-history.service starts it. The history is in \
      /var/lib/pathmonitor-history, and everybody may read it.
      """)
    page.paragraph(
      """
      The files are read and merged as those of pathmonitor.conf(5) are. None need exist. The recorder reads them when \
      it starts: systemctl restart pathmonitor-history.service puts a change into effect. A file with a mistake is left \
      out as a whole, and the journal names the line. \
      /usr/libexec/pathmonitor/pathmonitor-history record --check-config reports every mistake.
      """)
    page.section("Keys")
    page.paragraph("All keys stand below [History].")
    for key in HistoryConfiguration.keys {
      page.item("\(key.name)=", text: "\(key.meaning) Allowed: \(key.allowed). Without it: \(key.standard).")
    }
    page.section("Examples")
    page.paragraph("Keep the changes of a month, and no names of networks:")
    page.example(
      """
      [History]
      KeepChanges=31d
      NetworkNames=no
      """)
    page.seeAlso("pathctl(1)", "pathmonitor.conf(5)", "pathmonitord(8)", "systemd.syntax(7)")
    return page.source
  }
}
