internal import Glibc

/// Operations on many bytes at a time, by the C library.
package enum Bytes {
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
