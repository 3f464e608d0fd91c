internal import PathModel
internal import SystemIO

/// The simulated paths that the environment variable `PATHMONITOR_SIMULATE` describes, for developers.
///
/// ```
/// simulation = path | "script:" file
/// path       = word *("," word)
/// word       = "online" | "offline" | "unknown" | "ethernet" | "wifi" | "cellular" | "vpn"
///            | "expensive" | "constrained" | "no-dns" | "no-ipv4" | "no-ipv6"
/// ```
///
/// Each line of a script is a time span since the start and a path, such as `5s cellular,constrained`. Empty lines and
/// lines that begin with `#` are ignored.
struct PathSimulation: Equatable, Sendable {
  /// A path from a moment on.
  struct Step: Equatable, Sendable {
    /// How long after the start.
    var time: Duration
    var path: NetworkPath
  }

  /// The reason why a simulation cannot be parsed, and the allowed words, without a full stop.
  struct ParseError: Error, Equatable, Sendable, CustomStringConvertible {
    var description: String
  }

  /// The paths in the order of their times; the first begins at once.
  var steps: [Step]

  private enum Word: String, CaseIterable {
    case online, offline, unknown, ethernet, wifi, cellular, vpn, expensive, constrained
    case noDNS = "no-dns"
    case noIPv4 = "no-ipv4"
    case noIPv6 = "no-ipv6"

    /// The type of the interface that carries the traffic, if the word names one.
    var type: InterfaceType? {
      switch self {
      case .ethernet: .wiredEthernet
      case .wifi: .wifi
      case .cellular: .cellular
      case .vpn: .other
      default: nil
      }
    }
  }

  /// The largest script, in bytes.
  private static let limit = 1 << 20

  /// Parses the value of the variable, and reads the script that it names.
  init(_ text: String) throws(ParseError) {
    guard text.hasPrefix("script:") else {
      steps = [Step(time: .zero, path: try Self.path(text))]
      return
    }
    let file = String(text.dropFirst("script:".count))
    let contents: [UInt8]
    do throws(SystemError) {
      contents = try Files.read(file, limit: Self.limit)
    } catch {
      throw ParseError(description: error.description)
    }
    guard contents.count < Self.limit else {
      throw ParseError(description: "\(file) has \(Self.limit) bytes or more")
    }
    do throws(ParseError) {
      steps = try Self.steps(String(decoding: contents, as: UTF8.self))
    } catch {
      throw ParseError(description: "\(file), \(error)")
    }
  }

  /// The steps of a script.
  static func steps(_ text: String) throws(ParseError) -> [Step] {
    var steps: [Step] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let words = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }.map(String.init)
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      do throws(ParseError) {
        guard words.count == 2 else {
          throw ParseError(description: "a line is a time and a path, such as '5s cellular,constrained'")
        }
        let time = try time(first)
        if let last = steps.last, time < last.time {
          throw ParseError(description: "\(first) is before the line above")
        }
        steps.append(Step(time: time, path: try path(words[1])))
      } catch {
        throw ParseError(description: "line \(index + 1): \(error)")
      }
    }
    guard !steps.isEmpty else { throw ParseError(description: "there is no line with a path") }
    return steps
  }

  private static func time(_ text: String) throws(ParseError) -> Duration {
    do throws(TimeSpan.ParseError) {
      return try TimeSpan.parse(text)
    } catch {
      throw ParseError(description: "'\(text)' is not a time span: \(error)")
    }
  }

  private static func path(_ text: String) throws(ParseError) -> NetworkPath {
    var words: Set<Word> = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let word = Word(rawValue: String(name)) else {
        let allowed = Word.allCases.map(\.rawValue).joined(separator: ", ")
        throw ParseError(description: "\(String(name).quotedInLine) is not known; allowed: \(allowed), script:FILE")
      }
      words.insert(word)
    }
    let exclusive = words.intersection([.offline, .unknown])
    if !exclusive.isEmpty {
      guard words.count == 1 else {
        throw ParseError(description: "'\(exclusive.map(\.rawValue).sorted()[0])' stands alone")
      }
      return words == [.unknown] ? .unknown : offline
    }
    let types = words.compactMap(\.type)
    guard types.count <= 1 else { throw ParseError(description: "one interface carries the traffic, not several") }
    var path = NetworkPath.example(
      over: types.first ?? .wiredEthernet, name: nil, isExpensive: words.contains(.expensive) ? true : nil,
      isConstrained: words.contains(.constrained))
    path.supportsDNS = !words.contains(.noDNS)
    path.supportsIPv4 = !words.contains(.noIPv4)
    path.supportsIPv6 = !words.contains(.noIPv6)
    path.overrides = ["simulated"]
    return path
  }

  private static var offline: NetworkPath {
    var path = NetworkPath(status: .unsatisfied, knowledge: .known)
    path.unsatisfiedReason = .noRoute
    path.overrides = ["simulated"]
    return path
  }
}

extension PathSimulation {
  /// The paths that all monitors of the process get in place of real ones; `nil` when nothing is simulated.
  ///
  /// A note on standard error says that paths are simulated. If the value cannot be parsed, no path is known: monitors
  /// get neither real paths nor paths that the developer did not ask for.
  static let current: PathBroadcast? = {
    guard let text = Environment.value("PATHMONITOR_SIMULATE"), !text.isEmpty else { return nil }
    do throws(ParseError) {
      let simulation = try PathSimulation(text)
      note("the network path is simulated, as PATHMONITOR_SIMULATE says \(text.quotedInLine)")
      return simulation.play()
    } catch {
      note("PATHMONITOR_SIMULATE is not understood, so that no path is known: \(error)")
      let broadcast = PathBroadcast()
      broadcast.deliver(
        .lost(PathSourceError(.invalidSimulation, message: "PATHMONITOR_SIMULATE is not understood: \(error)")))
      return broadcast
    }
  }()

  private static func note(_ text: String) {
    try? Output.write(Array("pathmonitor: \(text)\n".utf8), to: 2)
  }

  private func play() -> PathBroadcast {
    let broadcast = PathBroadcast(steps[0].time == .zero ? steps[0].path : nil)
    let rest = steps.drop { $0.time == .zero && $0 == steps[0] }
    guard !rest.isEmpty else { return broadcast }
    Task {
      let start = ContinuousClock.now
      for step in rest {
        try await Task.sleep(until: start.advanced(by: step.time), clock: .continuous)
        broadcast.deliver(.path(step.path))
      }
    }
    return broadcast
  }
}
