import Foundation
import PackagePlugin

/// Compiles the Swift of the guides with the target: see `scripts/extract-snippets`.
@main
struct GuideSnippets: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let script = context.package.directoryURL.appending(path: "scripts/extract-snippets")
    let output = context.pluginWorkDirectoryURL.appending(path: "Guides.swift")
    let (listing, pages) = (Process(), Pipe())
    listing.executableURL = script
    listing.arguments = ["--pages"]
    listing.standardOutput = pages
    try listing.run()
    let names = String(decoding: pages.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    listing.waitUntilExit()
    return [
      .buildCommand(
        displayName: "Extracting the Swift of the guides", executable: script, arguments: [output.path],
        inputFiles: [script] + names.split(separator: "\n").map { URL(filePath: String($0)) }, outputFiles: [output])
    ]
  }
}
