internal import PathControl
internal import PathModel

/// The pages path-online.target(7) and pathmonitor-targets.service(8).
enum TargetPages {
  static var targets: String {
    var page = ManualPage(
      "path-online.target", also: ["path-unmetered.target"], section: 7,
      purpose: "systemd targets that follow the network path", placeholders: [])
    page.section("Synopsis")
    page.command("path-online.target")
    page.command("path-unmetered.target")
    page.section("Description")
    page.paragraph(
      """
      path-online.target is active while the machine has a network path, path-unmetered.target while that path costs \
      nothing by the byte, as far as is known. pathmonitor-targets.service(8) starts a target when the path has been so \
      for 2 s, and stops it when it has not been so for 30 s. A service that is bound to a target runs exactly as long.
      """)
    page.paragraph(
      """
      network-online.target is something else: it is reached once at boot, for whoever waits for it, and never left. \
      See systemd.special(7).
      """)
    page.section("Use")
    page.paragraph("A unit that is to run only while a target is active says:")
    page.item("PartOf=path-online.target", text: "In [Unit]: it is stopped with the target.")
    page.item(
      "After=path-online.target", text: "In [Unit]: it is started after the target, which does not wait for it.")
    page.item("WantedBy=path-online.target", text: "In [Install]: once enabled, it is started with the target.")
    page.paragraph(
      """
      A unit that is enabled while the target is active starts with the target's next start. systemctl restart \
      pathmonitor-targets.service starts it now, if the path is as required; what runs already goes on.
      """)
    page.paragraph(
      """
      It must not say Wants= or Requires= of a target: that would start the target, whatever the path is. For the same \
      reason nobody else should start or stop a target. One that is changed by hand stays so until the path changes.
      """)
    page.paragraph(
      """
      A unit that is only skipped when the path is not as required needs no target: see ExecCondition= and check in \
      pathctl(1).
      """)
    page.section("Examples")
    page.paragraph("Synchronise files while that costs nothing:")
    page.example(
      """
      [Unit]
      PartOf=path-unmetered.target
      After=path-unmetered.target

      [Service]
      ExecStart=/usr/bin/syncthing serve --no-browser

      [Install]
      WantedBy=path-unmetered.target
      """)
    page.paragraph("See which targets are active, and since when:")
    page.example("systemctl status path-online.target path-unmetered.target")
    page.seeAlso("pathmonitor-targets.service(8)", "pathctl(1)", "systemd.target(5)", "systemd.special(7)")
    return page.source
  }

  static var service: String {
    var page = ManualPage(
      "pathmonitor-targets.service", section: 8, purpose: "start and stop systemd targets with the network path",
      placeholders: [])
    page.section("Synopsis")
    page.command("pathmonitor-targets.service")
    page.command("/usr/bin/pathctl targets")
    page.section("Description")
    page.paragraph(
      """
      The service follows the network path by pathmonitord(8), and starts and stops path-online.target(7) and \
      path-unmetered.target(7) with it. It runs pathctl targets, which pathctl(1) describes.
      """)
    page.paragraph(
      """
      The first path that is known brings both targets in line at once. From then on a target is started when the path \
      has been as required for 2 s, and stopped when it has not been so for 30 s. A path that cannot be known for a \
      while, as when pathmonitord(8) restarts, moves nothing. When this service is stopped, the targets stay as they are.
      """)
    page.paragraph(
      """
      It is enabled when the package is installed. As long as no unit is bound to a target, it changes nothing. It \
      needs root to start units, but has no capabilities and no network: systemd-analyze security shows what it may do.
      """)
    page.section("Other times")
    page.paragraph("systemctl edit pathmonitor-targets.service makes a file for other times:")
    page.example(
      """
      [Service]
      ExecStart=
      ExecStart=/usr/bin/pathctl targets --on-after 10s --off-after 5min
      """)
    page.section("Examples")
    page.paragraph("See each start and stop with the path that was the reason, and why a target was not moved:")
    page.example("journalctl -u pathmonitor-targets.service")
    page.paragraph("Leave the targets alone from now on:")
    page.example("systemctl disable --now pathmonitor-targets.service")
    page.seeAlso("path-online.target(7)", "pathctl(1)", "pathmonitord(8)", "systemd.service(5)", "systemctl(1)")
    return page.source
  }
}
