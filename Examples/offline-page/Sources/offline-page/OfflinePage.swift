import ConnectivityCore
import Dispatch
import Glibc
import Observation

/// offline-page: a page for kiosks and dashboards that knows whether the network is there.
@main
@MainActor
enum OfflinePage {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.contains("--help") {
      print(Options.usage)
      return
    }
    do {
      let options = try Options(arguments)
      let streams = EventStreams()
      streams.publish(Report(.checking, .unknown).json)
      let server = try WebServer(port: options.port, site: Site(content: options.content), streams: streams)
      print("http://localhost:\(server.port)/")
      // Who waits for the line reads it from a pipe, perhaps.
      fflush(nil)
      await serve(PathMonitor(probes: options.probes), to: streams)
      server.stop()
    } catch let error as Options.UsageError {
      complain(error.sentence)
      exit(EX_USAGE)
    } catch let error as WebServer.StartError {
      complain(error.sentence)
      exit(EXIT_FAILURE)
    } catch {
      complain("\(error)")
      exit(EXIT_FAILURE)
    }
  }

  /// Tells the pages of the path until a signal ends the program.
  private static func serve(_ monitor: PathMonitor, to streams: EventStreams) async {
    let model = ConnectivityModel(monitor: monitor)
    let reporting = Task {
      // A phase stays for a while after the path has changed, and so does, on the page, the path that goes with it.
      for await (phase, path) in Observations({ (model.phase, model.path) }) where ConnectivityPhase(path) == phase {
        streams.publish(Report(phase, path).json)
      }
    }
    // A path that cannot be told is not "offline", and must not keep the content away.
    let patience = Task {
      try await Task.sleep(for: .seconds(3))
      if model.phase == .checking { streams.publish(Report(.degraded(.notKnown), model.path).json) }
    }
    let signsOfLife = Task {
      while true {
        try await Task.sleep(for: .seconds(5))
        streams.sendSignOfLife()
      }
    }
    await firstSignal(of: SIGTERM, SIGINT)
    reporting.cancel()
    patience.cancel()
    signsOfLife.cancel()
    streams.end()
  }

  /// Returns when the program is asked to end.
  private static func firstSignal(of numbers: Int32...) async {
    let (signals, inbox) = AsyncStream.makeStream(of: Void.self)
    let sources = numbers.map { number in
      // Its default action would end the program before the source hears of it.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler { inbox.yield() }
      source.activate()
      return source
    }
    for await _ in signals { break }
    for source in sources { source.cancel() }
  }

  private static func complain(_ text: String) {
    let line = Array("offline-page: \(text)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }
}
