internal import Dispatch
internal import Foundation
internal import Synchronization
internal import SystemIO

/// An expected event did not come.
package struct NothingCame: Error, CustomStringConvertible {
  package var description: String

  /// The error, with the missing event in words.
  package init(description: String) {
    self.description = description
  }
}

/// The lines that a program has printed so far; a test waits for a line in it.
package final class LineLog: Sendable {
  private struct Waiter {
    var id: Int
    var look: @Sendable (_ lines: [String], _ hasEnded: Bool) -> Bool
  }

  private struct State {
    var rest = Data()
    var lines: [String] = []
    var hasEnded = false
    var waiters: [Waiter] = []
    var lastID = 0
  }

  private let state = Guarded(State())

  package init() {}

  /// The complete lines so far.
  package var lines: [String] { state.withLock { $0.lines } }

  /// The lines so far, each with its newline.
  package var text: String { lines.map { "\($0)\n" }.joined() }

  func append(_ data: Data) {
    state.withLock { state in
      state.rest += data
      while let end = state.rest.firstIndex(of: UInt8(ascii: "\n")) {
        state.lines.append(String(decoding: state.rest[..<end], as: UTF8.self))
        state.rest = Data(state.rest[(end + 1)...])
      }
    }
    ask()
  }

  func end() {
    state.withLock { state in
      if !state.rest.isEmpty { state.lines.append(String(decoding: state.rest, as: UTF8.self)) }
      state.rest = Data()
      state.hasEnded = true
    }
    ask()
  }

  private func ask() {
    let (waiters, lines, hasEnded) = state.withLock { ($0.waiters, $0.lines, $0.hasEnded) }
    let content = Set(waiters.filter { $0.look(lines, hasEnded) }.map(\.id))
    state.withLock { $0.waiters.removeAll { content.contains($0.id) } }
  }

  /// Waits until `find` returns a value for the lines, and returns it.
  ///
  /// - Throws: ``NothingCame`` with the last lines when the time is over, or when the program ended without it.
  package func wait<Value: Sendable>(
    for what: String, within limit: Duration = .seconds(10), find: @escaping @Sendable ([String]) -> Value?
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
      let isAnswered = Atomic(false)
      let answer: @Sendable (Result<Value, any Error>) -> Bool = { result in
        if !isAnswered.exchange(true, ordering: .relaxed) { continuation.resume(with: result) }
        return true
      }
      let failure: @Sendable (String, [String]) -> Bool = { reason, lines in
        answer(.failure(NothingCame(description: "\(what): \(reason). Seen: \(lines.suffix(20))")))
      }
      let look: @Sendable ([String], Bool) -> Bool = { lines, hasEnded in
        if let value = find(lines) { return answer(.success(value)) }
        return hasEnded ? failure("the program has ended", lines) : false
      }
      state.withLock { state in
        state.lastID += 1
        state.waiters.append(Waiter(id: state.lastID, look: look))
      }
      ask()
      let nanoseconds = Int(limit / .nanoseconds(1))
      DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [self] in
        _ = failure("it did not come in time", lines)
      }
    }
  }

  /// Waits until there are so many lines, and returns all.
  package func wait(lines count: Int, within limit: Duration = .seconds(10)) async throws -> [String] {
    try await wait(for: "\(count) lines", within: limit) { $0.count >= count ? $0 : nil }
  }

  /// Waits for a line that contains the text, and returns it.
  @discardableResult
  package func wait(lineWith text: String, within limit: Duration = .seconds(10)) async throws -> String {
    try await wait(for: "a line with '\(text)'", within: limit) { $0.first { $0.contains(text) } }
  }

  /// Waits until the program prints no more.
  package func waitForEnd(within limit: Duration = .seconds(20)) async throws -> [String] {
    try await wait(for: "the end of the output", within: limit) { [self] lines in
      state.withLock { $0.hasEnded } ? lines : nil
    }
  }
}
