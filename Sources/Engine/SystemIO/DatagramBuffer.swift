internal import CLinux
internal import Glibc

/// Room for a batch of datagrams, received with one call and without waiting.
@safe package final class DatagramBuffer {
  /// The facts about a received datagram besides its bytes.
  package struct Envelope: Hashable, Sendable {
    /// The netlink port of the sender; 0 is the kernel.
    package var senderPort: UInt32
    /// Whether the datagram was longer than a slot and its end is lost.
    package var isTruncated: Bool
  }

  /// The largest number of datagrams received at once.
  package static let slotCount = 64
  /// The longest datagram that fits into a slot, in bytes.
  package let slotSize: Int

  private let memory: UnsafeMutablePointer<UInt8>
  private let datagrams: UnsafeMutablePointer<clinux_datagram>

  /// Room for 64 datagrams. Unused slots are never touched.
  package init(slotSize: Int = 8_192) {
    self.slotSize = slotSize
    unsafe memory = .allocate(capacity: Self.slotCount * slotSize)
    unsafe datagrams = .allocate(capacity: Self.slotCount)
    unsafe datagrams.initialize(repeating: clinux_datagram(), count: Self.slotCount)
  }

  deinit {
    unsafe memory.deallocate()
    unsafe datagrams.deallocate()
  }

  /// Receives up to `limit` datagrams that wait on the socket, and returns their number; 0 when none waits.
  ///
  /// - Throws: ``SystemError``; ENOBUFS when the kernel had to drop datagrams. The socket continues to work, and the
  ///   datagrams that wait on it can still be received.
  package func receive(from socket: Int32, limit: Int = slotCount) throws(SystemError) -> Int {
    do throws(SystemError) {
      return Int(
        try systemCall("receive from the kernel") {
          unsafe clinux_receive_datagrams(
            socket, memory, slotSize, UInt32(min(limit, Self.slotCount)), datagrams)
        })
    } catch {
      if error.errorNumber == EAGAIN { return 0 }
      throw error
    }
  }

  /// The datagram that the last ``receive(from:limit:)`` put into a slot.
  @_lifetime(borrow self)
  package func datagram(_ slot: Int) -> Span<UInt8> {
    precondition((0..<Self.slotCount).contains(slot))
    let length = min(unsafe Int(datagrams[slot].length), slotSize)
    let bytes = unsafe UnsafeBufferPointer(start: memory + slot * slotSize, count: length)
    return unsafe _overrideLifetime(bytes.span, borrowing: self)
  }

  /// The facts about the datagram in a slot.
  package func envelope(_ slot: Int) -> Envelope {
    precondition((0..<Self.slotCount).contains(slot))
    let datagram = unsafe datagrams[slot]
    return Envelope(senderPort: datagram.sender_port, isTruncated: datagram.flags & Int32(MSG_TRUNC) != 0)
  }
}
