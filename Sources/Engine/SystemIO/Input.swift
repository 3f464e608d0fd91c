internal import CLinux
internal import Glibc

/// Reads from descriptors of any kind, such as standard input.
package enum Input {
  /// The next bytes, at most 4,096; empty at the end of the input, and `nil` when none have come before the deadline.
  package static func read(
    from descriptor: Int32, until deadline: MonotonicInstant?
  ) throws(SystemError) -> [UInt8]? {
    while try UnixSocket.waitForInput(from: descriptor, until: deadline) {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      do throws(SystemError) {
        let count = try systemCall("read") { unsafe Glibc.read(descriptor, &buffer, buffer.count) }
        return Array(buffer[..<count])
      } catch {
        // Another reader of a shared descriptor was faster.
        guard error.errorNumber == EAGAIN else { throw error }
      }
    }
    return nil
  }
}
