internal import Glibc

/// A file descriptor that is closed when its owner releases it.
package struct OwnedDescriptor: ~Copyable {
  /// The number of the descriptor, valid while the owner lives.
  package let number: Int32

  /// Takes over an open descriptor.
  package init(owning number: Int32) {
    self.number = number
  }

  /// Leaves the descriptor open for good and returns its number.
  package consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }

  deinit {
    _ = Glibc.close(number)
  }
}
