internal import Foundation
package import SystemIO

/// The loop of a test, and the directory with the files that are read in it.
package protocol LoopStage {
  var loop: EventLoop { get }
  var directory: String { get }
  /// The time that a condition may take to hold.
  static var patience: Duration { get }
}

extension LoopStage {
  /// Runs the loop until the condition holds; `false` when time is up.
  package func run(within limit: Duration = Self.patience, until condition: () throws -> Bool) throws -> Bool {
    try loop.run(within: limit, until: condition)
  }

  package func run(for time: Duration) throws {
    _ = try run(within: time) { false }
  }

  package func writeResolver(_ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(directory)/resolv.conf"))
  }
}
