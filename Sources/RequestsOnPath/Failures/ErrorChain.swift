internal import Foundation

/// An error and the errors below it, by `NSUnderlyingErrorKey`, from the outermost in.
struct ErrorChain: Sequence, IteratorProtocol {
  /// The number of errors that are followed at most: a chain made by hand may lead back to itself.
  static let longest = 16

  private var pending: (any Error)?
  private var count = 0

  init(_ error: any Error) {
    pending = error
  }

  mutating func next() -> (any Error)? {
    guard let error = pending, count < Self.longest else { return nil }
    count += 1
    pending = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    return error
  }
}
