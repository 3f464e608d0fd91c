internal import JSON
internal import KernelPath
internal import PathCoding
internal import PathEngine
internal import PathModel
internal import SystemIO

/// The program `pathctl`, from its arguments to its exit status.
package enum PathControl {
  /// Does what the arguments say, and returns the exit status.
  package static func run(arguments: [String]) -> Int32 {
    Output.ignoreBrokenPipes()
    do throws(UsageError) {
      return try perform(Invocation(arguments: arguments))
    } catch {
      complain(error.description)
      return ExitStatus.usage
    }
  }

  private static func perform(_ invocation: Invocation) throws(UsageError) -> Int32 {
    switch invocation.command {
    case .help(let verb): return say(verb.map(HelpText.text(for:)) ?? HelpText.text(), ExitStatus.yes)
    case .version: return say("pathctl \(PathMonitorVersion.current)\n", ExitStatus.yes)
    default: break
    }
    do throws(KernelPathError) {
      switch invocation.command {
      case .watch: return try WatchVerb(invocation).run()
      case .status: return try OneShotVerbs(invocation).status()
      case .explain: return try OneShotVerbs(invocation).explain()
      case .interfaces: return try OneShotVerbs(invocation).interfaces()
      case .route(let host): return try OneShotVerbs(invocation).route(to: host)
      case .help, .version: return ExitStatus.yes
      }
    } catch {
      complain(error.description)
      return ExitStatus.cannotKnow
    }
  }

  /// Prints a text; a reader that has gone away is no failure.
  static func say(_ text: String, _ status: Int32) -> Int32 {
    say(Array(text.utf8), status)
  }

  static func say(_ bytes: [UInt8], _ status: Int32) -> Int32 {
    do throws(SystemError) {
      try Output.write(bytes, to: 1)
    } catch  where error.isBrokenPipe {
      return status
    } catch {
      complain("\(error.description) on standard output")
      return ExitStatus.cannotKnow
    }
    return status
  }

  static func complain(_ message: String) {
    try? Output.write(Array("pathctl: \(message)\n".utf8), to: 2)
  }
}

extension Invocation {
  /// What the engine works with, by the options.
  var configuration: PathInquiry.Configuration {
    var configuration = PathInquiry.Configuration()
    if let probes { configuration.probes = probes }
    return configuration
  }
}

extension JSONWriter {
  /// What `write` appends, as one line.
  static func line(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter(reservingCapacity: 1_024)
    write(&writer)
    writer.appendRaw(UInt8(ascii: "\n"))
    return writer.bytes
  }
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
