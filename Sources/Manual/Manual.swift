package import CommandLineOptions
package import PathControl
internal import PathService

/// Everything about the programs that is not written but made of their tables: manual pages, what shells need to
/// complete command lines, and the configuration file as it is shipped.
package enum Manual {
  /// A file of the manual.
  package struct File: Hashable, Sendable {
    /// What it is called, without a folder, such as `pathctl.1`. No two have the same name.
    package var name: String
    /// What is in it; ends with a newline.
    package var text: String
  }

  /// The manual pages.
  package static var pages: [File] {
    [
      File(name: "pathctl.1", text: ControlPage.text),
      File(name: "pathmonitord.8", text: DaemonPage.text),
      File(name: "pathmonitor.conf.5", text: ConfigurationPage.text),
    ]
  }

  /// The completions, one file for each program and shell.
  package static var completions: [File] {
    [CompletedProgram.pathctl, CompletedProgram.pathmonitord].flatMap { program in
      [
        File(name: "\(program.name).bash", text: BashCompletion.text(for: program)),
        File(name: "\(program.name).zsh", text: ZshCompletion.text(for: program)),
        File(name: "\(program.name).fish", text: FishCompletion.text(for: program)),
      ]
    }
  }

  /// All files.
  package static var files: [File] {
    pages + completions + [File(name: "pathmonitord.conf", text: ConfigurationExample.text)]
  }

  /// The file with the name.
  package static func file(named name: String) -> File? { files.first { $0.name == name } }
}

/// An option as the manual shows it, whichever program's it is.
package struct DocumentedOption: Hashable, Sendable {
  /// What is typed, with its dashes.
  package var name: String
  /// One letter that stands for it, with its dash.
  package var short: String?
  /// Its value; `nil` when it takes none.
  package var value: Placeholder?
  /// What it does, in one line.
  package var summary: String

  /// The option of a program's table.
  init<Effect>(_ option: CommandLineOption<Effect>) {
    (name, short, value, summary) = (option.name, option.short, option.value, option.summary)
  }

  /// The options of `pathmonitord`.
  package static var ofDaemon: [DocumentedOption] { DaemonOptions.options.map { DocumentedOption($0) } }
}

extension Verb {
  /// The options it takes, as the manual shows them.
  package var documentedOptions: [DocumentedOption] { options.map { DocumentedOption($0) } }
}
