internal import SystemIO

/// A descriptor on its way to the thread that will own it.
final class LentDescriptor: Sendable {
  private let number: Guarded<Int32?>

  init(_ descriptor: consuming OwnedDescriptor) {
    number = Guarded(descriptor.release())
  }

  /// The descriptor, which the caller owns from now on.
  ///
  /// - Precondition: Nobody has taken it before.
  func take() -> OwnedDescriptor {
    guard let number = number.exchange(\.self, for: nil) else {
      preconditionFailure("a descriptor was taken twice")
    }
    return OwnedDescriptor(owning: number)
  }

  deinit {
    if let number = number.copy { _ = OwnedDescriptor(owning: number) }
  }
}
