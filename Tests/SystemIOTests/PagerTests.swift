import SystemIO
import Testing

@Suite("The choice of a pager")
struct PagerTests {
  struct Case: Sendable {
    var variables: [String?]
    var isRoot = false
    var installed: Set<String> = ["less", "more"]
    var command: String?
  }

  @Test(arguments: [
    Case(variables: [nil, nil], command: "less"),
    Case(variables: [nil, nil], installed: ["more"], command: "more"),
    Case(variables: [nil, nil], installed: [], command: nil),
    Case(variables: ["most -w", "less"], command: "most -w"),
    Case(variables: [nil, "most"], command: "most"),
    Case(variables: ["", "most"], command: nil),
    Case(variables: ["cat", "most"], command: nil),
    Case(variables: [nil, "  "], command: nil),
    Case(variables: [nil, nil], isRoot: true, command: "less"),
    Case(variables: [nil, nil], isRoot: true, installed: ["more"], command: nil),
    Case(variables: [nil, "most"], isRoot: true, command: "less"),
    Case(variables: ["/tmp/x", nil], isRoot: true, installed: [], command: nil),
    Case(variables: ["/usr/bin/less -N", nil], isRoot: true, command: "/usr/bin/less -N"),
    Case(variables: ["less; id", nil], isRoot: true, command: "less"),
    Case(variables: [nil, "cat"], isRoot: true, command: nil),
  ])
  func `variables come first, nothing or cat is none, and root has less alone`(example: Case) {
    let command = Pager.command(
      variables: example.variables, isRoot: example.isRoot, isInstalled: example.installed.contains)
    #expect(command == example.command)
  }
}
