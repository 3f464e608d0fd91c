internal import PathConfiguration
internal import PathModel
internal import PathService
internal import Programs

/// The page pathmonitord(8).
enum DaemonPage {
  static var text: String {
    let options = DaemonOptions.documentedOptions
    var page = ManualPage(
      "pathmonitord", section: 8, purpose: "publish the network path and its changes to programs",
      placeholders: Set(options.compactMap(\.value?.name) + ["OPTION", "FILE"]))
    page.section("Synopsis")
    page.command("pathmonitord [OPTION...]")
    page.command("pathmonitord --check-config [FILE | --config PATH]")
    page.command("pathmonitord.service")
    page.command("pathmonitord.socket")
    page.section("Description")
    page.paragraph(
      """
      pathmonitord evaluates the network path of the machine once for all programs: it asks the kernel for \
      the routes, interfaces and addresses in use, whatever manages them, and publishes each change to its clients. It \
      sends no packet.
      """)
    page.paragraph(
      """
      Clients speak Varlink with it: JSON objects that end with a NUL, on a Unix socket. pathctl(1) is one. The \
      interface \(PathMonitorInterface.name) describes itself to every Varlink client; its description is also among \
      the files below. Anyone who can open the socket may query it; only root and members of the group pathmonitor may \
      override.
      """)
    page.paragraph(
      """
      It stays in the foreground. With systemd the socket is made by pathmonitord.socket, and the first client starts \
      the service; it reports that it is ready, shows the path as its status, feeds the watchdog, and writes an entry \
      for every change into the journal with the fields PATH_STATUS, INTERFACE, REASON, PATH_EXPENSIVE and \
      PATH_CONSTRAINED. Without systemd it makes the socket itself.
      """)
    page.section("Options")
    page.options(options)
    page.paragraph(
      """
      Times are written as in systemd.time(7), in the units us, ms, s, min, h, d and w, without months and years. The \
      command line takes precedence over the configuration.
      """)
    page.paragraph(
      """
      --check-config reads what the service would read: the usual files, or with --config the named one and those in the \
      directory of its name and .d. As root it also finds usual files that the service cannot read.
      """)
    page.section("Signals")
    page.item(
      "SIGHUP",
      text: """
        Reads the configuration again. A file with a mistake changes nothing: what it said before stays in effect, and \
        the journal, the status and pathctl health say so. systemctl reload then fails.
        """)
    page.item("SIGTERM", "SIGINT", text: "Ends it. Overrides are kept for the next start, until the machine reboots.")
    page.section("Exit status")
    page.item("0", text: "A signal ended it.")
    page.item("1", text: "With --check-config: something is wrong with the configuration.")
    page.item("64", text: "The command line is wrong, or the file that --config names.")
    page.item("69", text: "The socket cannot be opened, or the kernel cannot be asked.")
    page.section("Files")
    page.item(PathMonitorInterface.socketPath, text: "Where it listens, unless --socket or systemd say otherwise.")
    page.item(ConfigurationFiles.defaultPath, text: "The configuration, see pathmonitor.conf(5). It need not exist.")
    page.item(
      OverrideStore.path(forSocket: nil),
      text: "The overrides. With another --socket they are kept beside it, with .overrides behind its name.")
    page.item(
      "/usr/share/doc/pathmonitor/\(PathMonitorInterface.name).varlink",
      text: "The description of the interface: every type, method and error.")
    page.section("Examples")
    page.paragraph("Show its state and its journal:")
    page.example(
      """
      pathctl health
      journalctl -u pathmonitord -o verbose
      """)
    page.paragraph("Run one of your own, and ask it:")
    page.example(
      """
      mkdir -m 700 ~/.pathmonitor
      pathmonitord --socket ~/.pathmonitor/socket --verbose &
      pathctl --socket ~/.pathmonitor/socket
      """)
    page.paragraph("Ask without pathctl:")
    page.example(
      """
      printf '{"method":"\(PathMonitorInterface.name).GetPath"}\\0' |
        socat -t 2 - UNIX-CONNECT:$HOME/.pathmonitor/socket | tr '\\0' '\\n'
      """)
    page.seeAlso(
      "pathctl(1)", "pathmonitor.conf(5)", "pathmonitor-targets.service(8)", "systemd.socket(5)", "systemd.exec(5)",
      "journalctl(1)", "rtnetlink(7)")
    return page.source
  }
}
