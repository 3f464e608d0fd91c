internal import PathModel

/// The section of pathctl(1) about the output of `--json`: every key with its meaning.
enum JSONSection {
  static func add(to page: inout ManualPage) {
    page.section("JSON")
    page.paragraph(
      """
      With --json a path is one object on one line, the same that the service sends. Every key is there; what is \
      absent is null. There may be more keys and more words some day: ignore those that you do not know.
      """)
    for field in NetworkPath.fields { page.item(field.key, text: field.meaning) }
    page.paragraph("An interface, in the array interfaces:")
    add(NetworkInterface.fields, to: &page)
    page.paragraph("The object diagnosis:")
    add(Diagnosis.fields, to: &page)
    page.paragraph("The object cost:")
    add(Cost.fields, to: &page)
    page.paragraph("A piece of evidence, in the array evidence:")
    add(Evidence.fields, to: &page)
    page.paragraph("Other verbs print an object of their own:")
    page.item("explain", text: "path, and steps: the lines that explain prints without --json.")
    page.item("interfaces", text: "interfaces: an array as that of a path.")
    page.item(
      "health",
      text: """
        health: counters by name; totals: changes, outages and times without a path since the start of the service; \
        notes, and configurationProblems: texts. A configuration file with a mistake is among \
        the latter.
        """)
    page.item(
      "config",
      text: """
        settings: objects with section, key, value, file and line; files: objects with path, counts and note; problems: \
        texts.
        """)
    page.item("override list", text: "overrides: an array.")
  }

  private static func add<Object: Sendable>(_ fields: [Field<Object>], to page: inout ManualPage) {
    for field in fields { page.item(field.key, text: field.meaning) }
  }
}
