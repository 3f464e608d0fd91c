import Glibc
import SystemIO
import Testing

@testable import KernelPath

/// Two ends of a local datagram socket, one of which has a filter: the kernel of this machine judges messages.
final class FilteredPair {
  private let sender: OwnedDescriptor
  private let receiver: OwnedDescriptor

  /// Loads the program, which the kernel refuses if it jumps out of itself, reads unset memory or is too long.
  init(_ program: [CoverFilter.Instruction]) throws {
    var ends: [Int32] = [-1, -1]
    _ = unsafe socketpair(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends)
    sender = OwnedDescriptor(owning: ends[0])
    receiver = OwnedDescriptor(owning: ends[1])
    try NetlinkOptions.attachFilter(program.map(\.encoded), to: receiver.number)
  }

  /// Whether the message passes.
  func passes(_ message: [UInt8]) -> Bool {
    var byte: UInt8 = 0
    #expect(unsafe send(sender.number, message, message.count, 0) == message.count)
    return unsafe recv(receiver.number, &byte, 1, 0) > 0
  }
}
