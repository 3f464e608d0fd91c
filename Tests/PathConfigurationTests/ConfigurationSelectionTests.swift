import PathModel
import Testing

@testable import PathConfiguration

@Suite("The selection of configuration files")
struct ConfigurationSelectionTests {
  @Test func `of files with the same name the one of the highest rank is used, and names decide the order`() {
    let selection = ConfigurationSelection(
      mains: ["/etc/main", "/usr/main"],
      directories: [
        ("/etc/d", ["90-last.conf", "20-both.conf"]), ("/run/d", ["50-run.conf", "20-both.conf"]),
        ("/usr/d", ["10-first.conf", "20-both.conf", "90-last.conf"]),
      ])
    #expect(
      selection.paths == [
        "/etc/main", "/usr/d/10-first.conf", "/etc/d/20-both.conf", "/run/d/50-run.conf", "/etc/d/90-last.conf",
      ])
    #expect(
      selection.masked == [
        .init(path: "/usr/main", by: "/etc/main"), .init(path: "/run/d/20-both.conf", by: "/etc/d/20-both.conf"),
        .init(path: "/usr/d/20-both.conf", by: "/etc/d/20-both.conf"),
        .init(path: "/usr/d/90-last.conf", by: "/etc/d/90-last.conf"),
      ])
  }

  @Test func `only names that end in .conf are used, in the order of their bytes`() {
    let names = [
      "b.conf", "B.conf", "a.conf~", ".hidden.conf", "README", "10.conf", "9.conf", "é.conf", "conf", ".conf",
    ]
    let selection = ConfigurationSelection(mains: [], directories: [("/d", names)])
    #expect(selection.paths == ["/d/10.conf", "/d/9.conf", "/d/B.conf", "/d/b.conf", "/d/é.conf"])
    #expect(selection.masked.isEmpty)
  }
}
