internal import Glibc

/// Operations on many bytes at a time, by the C library.
package enum Bytes {
  /// Whether both have the same bytes.
  package static func areEqual(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
    guard one.count == other.count else { return false }
    return unsafe one.withUnsafeBufferPointer { one in
      unsafe other.withUnsafeBufferPointer { other in
        guard let first = one.baseAddress, let second = other.baseAddress else { return true }
        return unsafe memcmp(first, second, one.count) == 0
      }
    }
  }

  /// Appends all bytes to others.
  package static func append(_ added: Span<UInt8>, to bytes: inout [UInt8]) {
    unsafe added.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
  }

  /// The first position of the byte; `nil` when it is absent.
  package static func firstPosition(of byte: UInt8, in bytes: Span<UInt8>) -> Int? {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      guard let first = bytes.baseAddress, let found = unsafe memchr(first, Int32(byte), bytes.count) else {
        return nil
      }
      return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(first)
    }
  }
}
