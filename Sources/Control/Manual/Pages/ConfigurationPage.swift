internal import PathConfiguration
internal import PathDecisions
internal import PathModel

/// The page pathmonitor.conf(5).
enum ConfigurationPage {
  static var text: String {
    var page = ManualPage(
      "pathmonitor.conf", section: 5, purpose: "configuration of PathMonitor", placeholders: ["ADDRESS", "TIME"])
    page.section("Synopsis")
    for root in ConfigurationSelection.roots {
      page.command("\(root)/\(ConfigurationSelection.mainName)")
      page.command("\(root)/\(ConfigurationSelection.dropInName)/*.conf")
    }
    page.section("Description")
    page.paragraph(
      """
      The administrator's configuration for all users. The service, pathmonitord(8), reads the files when it starts and \
      when it reloads. pathctl(1) and other programs read them when they ask the kernel themselves, and read them \
      again at a change while they follow the path. None need exist. Options of a command line take precedence.
      """)
    page.paragraph(
      """
      Of files with the same name, only the first in the list above is used, so that an empty one in /etc switches \
      another off. First pathmonitord.conf is read, then all others by name. A later value takes precedence.
      """)
    page.paragraph(
      """
      It is written as in systemd.syntax(7): sections in brackets, lines with a key and its value, and comments on \
      lines of their own that begin with # or ;. A line that ends in a backslash continues in the next one. A file \
      with a mistake is left out as a whole, or is used as it was before. The journal names the line and a correct \
      one. pathctl config shows the values in effect, and pathmonitord --check-config every mistake.
      """)
    page.section("Sections and keys")
    var section: String?
    for key in DocumentedKey.all {
      if key.section != section {
        page.subsection("[\(key.section)]")
        let meaning = ConfigurationKey.Section(rawValue: key.section)?.meaning
        if let meaning { page.paragraph(meaning + ".") }
      }
      section = key.section
      let standard = key.standardInWords.map { " Without it: \($0)." } ?? ""
      page.item("\(key.name)=", text: "\(key.meaning) Allowed: \(key.allowed).\(standard)")
    }
    addCost(to: &page)
    page.section("Examples")
    page.paragraph("A closed network, where a host in the data centre stands for the Internet:")
    page.example(
      """
      [Monitor]
      # Our programs need the way to this address.
      SampleAddress=10.0.0.1
      # Publish losses soon.
      Settle=100ms
      """)
    page.paragraph("A rule, in a file of its own below pathmonitord.conf.d: the network of a telephone costs money:")
    page.example(
      """
      [Match]
      SSID="My phone"
      [Path]
      Expensive=yes
      """)
    page.paragraph(
      """
      A unit that a timer with OnCalendar=08..17:00/5:00 starts every five minutes, so that programs use little data for \
      ten hours. Overrides end with the boot, so a single one for ten hours would be lost at a reboot:
      """)
    page.example(
      """
      [Service]
      Type=oneshot
      ExecStart=/usr/bin/pathctl override set isConstrained true --for 6min
      """)
    page.paragraph("Apply a change, and check the result:")
    page.example(
      """
      pathmonitord --check-config && systemctl reload pathmonitord
      pathctl config
      """)
    page.seeAlso("pathmonitord(8)", "pathctl(1)", "systemd.syntax(7)", "systemd.time(7)")
    return page.source
  }

  private static func addCost(to page: inout ManualPage) {
    page.section("Cost of a path")
    page.paragraph(
      """
      A path is expensive when it costs money or counts against a quota, and constrained when programs were asked to \
      use little data. Evidence decides, and the strongest confidence wins. pathctl explain shows all evidence and \
      marks the evidence that decided. From the strongest to the weakest:
      """)
    for (confidence, origins) in evidence { page.item(confidence.rawValue, text: origins) }
    page.paragraph(
      """
      A lease that exists and cannot be read leaves the cost undetermined, unless evidence of user or explicit \
      decides, or the path is expensive anyway: a requirement such as unmetered then has no answer, and pathctl check \
      ends with 69. dhcpcd writes leases that only root may read. The package lets the service read them, if dhcpcd \
      was installed before it or before the last boot. Without that, give the right now:
      """)
    page.example("systemd-tmpfiles --create pathmonitor.conf")
    page.paragraph(
      """
      A tunnel costs what the interface below it costs. A path over several interfaces is expensive when any of them \
      is. Without the service NetworkManager is not asked: a requirement of cost then cannot be decided, unless \
      --direct selects the kernel alone.
      """)
  }

  /// The origins of evidence, by their confidence.
  private static let evidence: [(Evidence.Confidence, origins: String)] = [
    (.user, "An override, see pathctl(1), or the [Path] section of a rule."),
    (.explicit, "A setting of NetworkManager: the connection is metered, or it is not."),
    (
      .certain,
      "A cellular interface; a DHCP lease of \(LeaseFormat.clientsInWords) with the word ANDROID_METERED."
    ),
    (.likely, "A phone on a USB cable or over Bluetooth; an LTE stick on USB; the network of an iPhone's hotspot."),
    (.guess, "A guess of NetworkManager."),
    (
      .unknown, "Nothing is known. The path counts as unmetered, but unmetered-known does not accept that as an answer."
    ),
  ]
}
