package import PathModel

/// The rounds over one network: one is enough for `validated`, and any other verdict takes two in a row. Pure.
package struct ValidationRounds: Equatable, Sendable {
  private var last: PathValidation.State?

  /// No round yet.
  package init() {}

  /// Takes the verdict of a round.
  ///
  /// - Returns: Whether it holds, and is to be reported. If nothing is known twice, what was reported holds no more.
  package mutating func conclude(_ state: PathValidation.State) -> Bool {
    defer { last = state }
    return state == .validated || state == last
  }
}
