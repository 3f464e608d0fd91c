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
      let board = ReportBoard(Report(.checking, .unknown)) { streams.publish($0) }
      let presenter = PagePresenter { board.show($0) }
      let signals = await EndSignals(SIGTERM, SIGINT)
      let server = try WebServer(
        port: options.port, site: Site(content: options.content), streams: streams,
        choose: { presenter.choose($0, of: $1) })
      print("http://localhost:\(server.port)/")
      // A program that waits for the line may read it from a pipe.
      fflush(nil)
      let monitor = PathMonitor(probes: options.probes)
      let repair = NetworkRepair(monitor: monitor, offers: options.offers, presenter: presenter, run: Shell.run)
      let reporting = Task { await report(monitor, to: board, streams, repair, presenter) }
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
  private static func report(
    _ monitor: PathMonitor, to board: ReportBoard, _ streams: EventStreams, _ repair: NetworkRepair,
    _ presenter: PagePresenter
  ) async {
    let model = ConnectivityModel(monitor: monitor)
    async let patience: Void? = try? giveUpChecking(model, board)
    async let signsOfLife: Void = {
      while (try? await Task.sleep(for: .seconds(5))) != nil { streams.sendSignOfLife() }
    }()
    // A phase stays for a while after the path has changed. Meanwhile the page keeps the path that belongs to that
    // phase.
    var repairing: Task<Void, Never>?
    for await (phase, path) in Observations({ (model.phase, model.path) }) where ConnectivityPhase(path) == phase {
      board.update(Report(phase, path))
      if case .offline = phase {
        // Only a phase that begins is a new error. A command under way goes on.
        if repairing == nil, !repair.offers.isEmpty { repairing = Task { await repair.offerWaysOn() } }
      } else {
        presenter.dismiss()
        repairing = nil
      }
    }
    presenter.dismiss()
    _ = await (patience, signsOfLife)
  }

  /// An unknown path is not "offline", and must not keep the content away for ever.
  private static func giveUpChecking(_ model: ConnectivityModel, _ board: ReportBoard) async throws {
    try await Task.sleep(for: .seconds(3))
    if model.phase == .checking { board.update(Report(.degraded(.notKnown), model.path)) }
  }

  private static func complain(_ text: String) {
    let line = Array("offline-page: \(text)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }
}
