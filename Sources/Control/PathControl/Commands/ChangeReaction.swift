internal import Glibc

/// The reaction of `pathctl run` to a path that is as required, but leads another way.
package enum ChangeReaction: Hashable, Sendable {
  /// End the command as at a lost path, and start it again at once.
  case restart
  /// Send a signal to the process group of the command.
  case signal(Int32)
  /// Let the command run.
  case ignore

  /// The signals by their names without `SIG`: those that `pathctl` passes on, too.
  private static let signals = [
    ("HUP", SIGHUP), ("INT", SIGINT), ("QUIT", SIGQUIT), ("TERM", SIGTERM), ("USR1", SIGUSR1), ("USR2", SIGUSR2),
  ]

  /// All reactions as they are written.
  package static var words: [String] { ["restart", "ignore"] + signals.map { "signal:\($0.0)" } }

  /// The reaction that is written so; `nil` if there is none.
  package init?(_ text: String) {
    switch text {
    case "restart": self = .restart
    case "ignore": self = .ignore
    default:
      guard let signal = Self.signals.first(where: { text == "signal:\($0.0)" || text == "signal:SIG\($0.0)" }) else {
        return nil
      }
      self = .signal(signal.1)
    }
  }

  /// The effect on the command, as the end of a sentence.
  package var outcome: String {
    switch self {
    case .restart: "restarted"
    case .signal(let number): "sent SIG\(Self.signals.first { $0.1 == number }?.0 ?? "\(number)")"
    case .ignore: "left alone"
    }
  }
}
