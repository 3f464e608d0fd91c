internal import PathModel

/// The rounds over one network: one is enough for `validated`, and any other verdict takes two in a row. Pure.
package struct ValidationRounds: Equatable, Sendable {
  private var last: PathValidation.State?
  /// The verdict that holds; `nil` before there is one.
  package private(set) var held: RoundVerdict?

  /// No round yet.
  package init() {}

  /// Takes the verdict of a round.
  ///
  /// - Returns: Whether it is to be reported.
  package mutating func conclude(_ verdict: RoundVerdict) -> Bool {
    let isSure = verdict.state == .validated || verdict.state == last
    last = verdict.state
    guard isSure, verdict.state != .unknown else { return false }
    held = verdict
    return true
  }
}
