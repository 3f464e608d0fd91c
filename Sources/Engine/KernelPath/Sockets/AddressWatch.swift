internal import CNetlink
internal import Glibc
internal import PathDecisions
package import PathModel
package import SystemIO

/// The news that addresses of this network namespace have changed. A message is a hint to read the ``AddressTable``.
package final class AddressWatch {
  /// The changes since the last reading.
  package struct News: Hashable, Sendable {
    /// The addresses that were added or confirmed meanwhile, also those that are gone again.
    package var seen: Set<IPAddress> = []
    /// Whether messages were lost, so that any address may have been there meanwhile.
    package var isIncomplete = false
  }

  private let events: NetlinkSocket
  private let buffer = DatagramBuffer()
  /// Whether the kernel has dropped messages since the receive buffer was last empty; see ``EventSocket``.
  private var isCongested = false

  /// The descriptor that a loop watches for reading.
  package var descriptor: Int32 { events.descriptor }

  /// Begins to listen.
  ///
  /// - Throws: ``KernelPathError`` also when the kernel does not announce changes, because nothing may be concluded
  ///   then.
  package init() throws(KernelPathError) {
    events = try NetlinkSocket(receiveBuffer: 1 << 18)
    // RTNLGRP_IPV4_IFADDR and RTNLGRP_IPV6_IFADDR
    for group: UInt32 in [5, 9] {
      if let refusal = events.join(group) {
        throw KernelPathError(.netlinkRefused, "changes of addresses are not announced: \(refusal)")
      }
    }
  }

  /// Takes the waiting messages. Never waits.
  ///
  /// - Parameter end: The rest waits for the next call.
  package func news(until end: MonotonicInstant) throws(KernelPathError) -> News {
    var news = News()
    while true {
      let received: Int
      do throws(SystemError) {
        received = try buffer.receive(from: descriptor)
      } catch {
        guard error.errorNumber == ENOBUFS else { throw KernelPathError(error) }
        isCongested = true
        news.isIncomplete = true
        if end < .now { return news }
        continue
      }
      for slot in 0..<received where buffer.envelope(slot).senderPort == 0 { read(slot, into: &news) }
      if isCongested { news.isIncomplete = true }
      if received < DatagramBuffer.slotCount {
        isCongested = false
        return news
      }
      if end < .now { return news }
    }
  }

  private func read(_ slot: Int, into news: inout News) {
    do throws(NetlinkDecodingError) {
      if buffer.envelope(slot).isTruncated { news.isIncomplete = true }
      let buffer = buffer
      var messages = NetlinkMessages(buffer.datagram(slot))
      while let message = try messages.next() {
        if message.type == RTM_NEWADDR, let facts = try AddressFacts(message) {
          news.seen.insert(facts.address)
        }
      }
    } catch {
      news.isIncomplete = true
    }
  }
}
