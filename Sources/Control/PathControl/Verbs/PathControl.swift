internal import KernelPath
internal import PathConfiguration
internal import PathFollowing
internal import PathModel
internal import Programs
internal import SystemIO

/// The program `pathctl`, from its arguments to its exit status.
package enum PathControl {
  private static let program = Program("pathctl")

  /// Runs the command line of the process, and returns the exit status.
  package static func run() -> Int32 { Program.run(run) }

  private static func run(_ arguments: [String]) -> Int32 {
    do throws(UsageError) {
      if let answer = try CompletionCommand.answer(to: arguments, of: Verbs.completed, interfaces: InterfaceNames.all) {
        return say(answer, ExitStatus.yes)
      }
      return perform(try ArgumentParser.parse(arguments))
    } catch {
      let words = arguments.prefix { $0 != "--" }
      if words.contains(where: { $0.hasPrefix("--nag") }) { return say(.unknown(error.description)) }
      complain(error.description)
      // A unit with a mistyped condition has to fail: if it were skipped, nobody would notice the mistake. The prefix
      // `--cond` also finds an option that is mistyped at its end.
      let isCondition = words.contains { $0.hasPrefix("--cond") }
      return isCondition ? ExitStatus.conditionFailed : ExitStatus.usage
    }
  }

  private static func perform(_ verb: any Verb) -> Int32 {
    let invocation = verb.invocation
    if let problem = invocation.problemOfNamedConfiguration {
      return invocation.fail(problem.description, ExitStatus.usage)
    }
    do throws(KernelPathError) {
      return try verb.run()
    } catch {
      return invocation.fail(error.description, ExitStatus.cannotKnow)
    }
  }

  /// Prints a text; a reader that has gone away is no failure.
  static func say(_ text: String, _ status: Int32) -> Int32 { program.say(text, status) }

  /// Prints lines that may quote foreign texts, each as one line.
  static func say(lines: [String], _ status: Int32) -> Int32 {
    say(lines.map { "\($0.inOneLine)\n" }.joined(), status)
  }

  /// Prints lines that are drawn already, with their colours.
  static func say(drawn lines: [String], _ status: Int32) -> Int32 {
    say(lines.map { "\($0)\n" }.joined(), status)
  }

  /// Prints an object as one line of JSON.
  static func say(_ object: JSONObject, _ status: Int32) -> Int32 {
    say(JSONWriter.line { JSONValue.object(object).write(to: &$0) }, status)
  }

  static func say(_ bytes: [UInt8], _ status: Int32) -> Int32 { program.say(bytes, status) }

  /// Prints the answer for a monitoring system, and returns its exit status.
  static func say(_ line: MonitoringLine) -> Int32 { say("\(line.text)\n", line.state.rawValue) }

  /// Prints a long text, on a terminal in a pager.
  static func page(_ text: String, _ status: Int32) -> Int32 {
    Pager.show(Array(text.utf8)) ? status : say(text, status)
  }

  /// Prints a message to standard error as one line, even if it quotes a foreign text.
  static func complain(_ message: String) { program.complain(message) }
}

extension Invocation {
  /// Prints a message that is no mistake to standard error, unless `--quiet` is given.
  func note(_ message: String) {
    if !isQuiet { PathControl.complain(message) }
  }

  /// Decides whether the kernel can be asked in place of the service, and says so. Returns `nil` if it can, or else the
  /// exit status.
  ///
  /// - Parameter needed: The reason why the kernel alone is not enough, with advice; `nil` if it is.
  func statusWithoutService(_ error: PathSourceError, needed: String?) -> Int32? {
    if let status = error.replyStatus { return fail(error.sentences, status) }
    note("the service does not answer, so the kernel is asked: \(error.message)")
    return needed.map { fail($0, ExitStatus.cannotKnow) }
  }
}

extension PathRequirement {
  /// The reason why the kernel alone cannot decide the requirement, with advice; `nil` if it can.
  var needOfService: String? {
    guard dependsOnCost || dependsOnValidation else { return nil }
    return "'\(self)' cannot be known without the service. Start pathmonitord, or say --direct to ask the kernel alone."
  }
}

extension JSONWriter {
  /// The output of `write` as one line, with its newline.
  static func line(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter(reservingCapacity: NetworkPath.usualLength)
    write(&writer)
    writer.appendRaw(UInt8(ascii: "\n"))
    return writer.bytes
  }

  /// Appends the members of an object that is begun.
  mutating func members(of object: JSONObject) {
    for member in object.members {
      key(member.key)
      member.value.write(to: &self)
    }
  }
}

extension JSONValue {
  /// A text, or `null` where there is none.
  static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
  /// A Boolean, or `null` where it is not known.
  static func flag(_ flag: Bool?) -> JSONValue { flag.map { .boolean($0) } ?? .null }
  /// An array of texts.
  static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}

extension NetworkPath {
  /// The path as one line of JSON, with its newline.
  var jsonLine: [UInt8] {
    JSONWriter.line { write(to: &$0) }
  }

  /// The exit status that answers "is there a path?".
  var exitStatus: Int32 {
    guard knowledge == .known else { return ExitStatus.cannotKnow }
    return status == .satisfied ? ExitStatus.yes : ExitStatus.no
  }
}
