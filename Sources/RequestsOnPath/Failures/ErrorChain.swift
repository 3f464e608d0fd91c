internal import Foundation

/// An error and the errors below it, by `NSUnderlyingErrorKey`, from the outermost in.
struct ErrorChain: Sequence, IteratorProtocol {
  /// The number of errors that are followed at most: a chain made by hand may lead back to itself.
  static let longest = 16

  private let outermost: any Error
  private var last: (any Error)?
  private var count = 0

  init(_ error: any Error) {
    outermost = error
  }

  mutating func next() -> (any Error)? {
    guard count < Self.longest, count == 0 || last != nil else { return nil }
    // The error below is looked up only when it is asked for: most errors are judged by themselves.
    let error = count == 0 ? outermost : last.map { $0 as NSError }?.userInfo[NSUnderlyingErrorKey] as? any Error
    count += 1
    last = error
    return error
  }
}
