import ConnectivityCore
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
      let signals = await EndSignals(SIGTERM, SIGINT)
      let server = try WebServer(port: options.port, site: Site(content: options.content), streams: streams)
      print("http://localhost:\(server.port)/")
      // A program that waits for the line may read it from a pipe.
      fflush(nil)
      let reporting = Task { await report(PathMonitor(probes: options.probes), to: streams) }
      await signals.first()
      reporting.cancel()
      streams.end()
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

  /// Publishes the path to the pages until the task is cancelled.
  private static func report(_ monitor: PathMonitor, to streams: EventStreams) async {
    let model = ConnectivityModel(monitor: monitor)
    async let patience: Void? = try? giveUpChecking(model, streams)
    async let signsOfLife: Void = {
      while (try? await Task.sleep(for: .seconds(5))) != nil { streams.sendSignOfLife() }
    }()
    // A phase stays for a while after the path has changed. Meanwhile the page keeps the path that belongs to that
    // phase.
    for await (phase, path) in Observations({ (model.phase, model.path) }) where ConnectivityPhase(path) == phase {
      streams.publish(Report(phase, path).json)
    }
    _ = await (patience, signsOfLife)
  }

  /// An unknown path is not "offline", and must not keep the content away for ever.
  private static func giveUpChecking(_ model: ConnectivityModel, _ streams: EventStreams) async throws {
    try await Task.sleep(for: .seconds(3))
    if model.phase == .checking { streams.publish(Report(.degraded(.notKnown), model.path).json) }
  }

  private static func complain(_ text: String) {
    let line = Array("offline-page: \(text)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }
}
