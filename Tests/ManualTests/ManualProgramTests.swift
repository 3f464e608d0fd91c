import Foundation
import Manual
import PathControl
import PathService
import ProcessTestSupport
import Programs
import Testing

@Suite("The program that prints the manual")
struct ManualProgramTests {
  private static let program = URL(fileURLWithPath: RunningProgram.pathctl).deletingLastPathComponent()
    .appendingPathComponent("pathmonitor-manual").path

  @Test func `it lists the files and prints each`() async throws {
    let list = try await RunningProgram.run([Self.program])
    #expect(list.status == 0)
    #expect(list.output.split(separator: "\n").map(String.init) == Manual.files.map(\.name))
    #expect(Set(Manual.files.map(\.name)).count == Manual.files.count)
    for file in Manual.files {
      let printed = try await RunningProgram.run([Self.program, file.name])
      #expect(printed.status == 0)
      #expect(printed.output == file.text)
    }
  }

  @Test(arguments: [["pathctl.2"], ["pathctl.1", "pathmonitord.8"]])
  func `an unknown file is one clear line and 64`(arguments: [String]) async throws {
    let outcome = try await RunningProgram.run([Self.program] + arguments)
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(outcome.complaints.hasPrefix("pathmonitor-manual: "))
    #expect(outcome.complaints.contains(arguments.last ?? ""))
    #expect(outcome.complaints.filter { $0 == "\n" }.count == 1)
  }
}
