internal import Glibc
internal import Manual
internal import SystemIO

/// Prints the files of the manual for people who install or package the programs. This program is not installed itself.
@main
enum PathmonitorManualMain {
  static func main() {
    let arguments = OwnArguments.words
    guard arguments.count <= 1 else { fail("'\(arguments.last ?? "")' is one argument too many.") }
    guard let name = arguments.first else {
      return write(Manual.files.map { $0.name + "\n" }.joined())
    }
    guard let file = Manual.file(named: name) else { fail("there is no file '\(name)'.") }
    write(file.text)
  }

  private static func write(_ text: String) {
    do throws(SystemError) {
      try Output.write(Array(text.utf8), to: 1)
    } catch {
      fail("\(error.description).")
    }
  }

  private static func fail(_ text: String) -> Never {
    let advice = "Usage: pathmonitor-manual [FILE]; without one it lists the files that there are."
    try? Output.write(Array("pathmonitor-manual: \(text) \(advice)\n".utf8), to: 2)
    exit(64)
  }
}
