internal import Glibc
internal import PathModel
internal import SystemIO

/// The socket for questions. It has no filter, because a filter would drop answers, too.
///
/// Many questions go out in one datagram. The kernel has answered all of them when the call returns, so that the
/// program never waits.
final class QuerySocket {
  private let socket: NetlinkSocket
  /// A buffer with slots for the largest pieces in which the kernel sends a dump.
  private let buffer = DatagramBuffer(slotSize: 32_768)
  private var nextSequence: UInt32 = 1

  /// The number of pieces of a dump that are read at once, which limits the memory that is touched.
  private static let dumpPieces = 4

  /// The refusals of the kernel, in words.
  private(set) var notes: [String] = []

  init() throws(KernelPathError) {
    socket = try NetlinkSocket(receiveBuffer: 1 << 20)
    do throws(SystemError) {
      try NetlinkOptions.enableStrictChecking(socket.descriptor)
    } catch {
      notes.append("strict checks are not available: \(error.reason)")
    }
  }

  // MARK: Routes

  /// Asks for the replies of a batch that are outdated.
  func ask(_ batch: RouteBatch) throws(KernelPathError) {
    if batch.outdated.isEmpty { return }
    for attempt in 1... {
      if try askOnce(batch) { return }
      // The answers did not fit into the receive buffer, or other messages were in it.
      if attempt == 3 { throw KernelPathError(.netlinkFailed, "the kernel left route lookups unanswered") }
    }
  }

  /// Returns whether the kernel has answered all questions.
  private func askOnce(_ batch: RouteBatch) throws(KernelPathError) -> Bool {
    let requests = batch.outdatedRequests
    let first = sequences(requests.count)
    try batch.withBytes(of: requests, from: first) { (bytes, range) throws(KernelPathError) in
      try send(bytes, range)
    }
    var replies = batch.replies
    replies.remove(batch.outdated)
    var next = requests.lowerBound
    var failure: Int32 = 0
    let isAnswered = try receive(atOnce: requests.count) { (message, datagram) throws(NetlinkDecodingError) in
      // The kernel answers in the order of the questions.
      guard next < requests.upperBound, message.sequence == first &+ UInt32(next - requests.lowerBound),
        message.isRouteReply
      else { return false }
      if let errorNumber = try message.lookupFailure(in: datagram) { failure = errorNumber }
      try replies.append(message, in: datagram, about: batch.family(ofRequest: next))
      next += 1
      return next == requests.upperBound
    }
    guard isAnswered else { return false }
    guard failure == 0 else {
      throw KernelPathError(.netlinkFailed, SystemError("look up a route", errorNumber: failure).description)
    }
    batch.renew(replies)
    return true
  }

  // MARK: Single objects

  /// Sends requests that the kernel answers with one message each, and passes the answers to `body`, in order. An
  /// object that is gone gets an error as its answer, and is left out.
  func ask(
    _ requests: [[UInt8]], _ body: (NetlinkMessage, Span<UInt8>) throws(NetlinkDecodingError) -> Void
  ) throws(KernelPathError) {
    for request in requests {
      let sequence = try send(request)
      let isAnswered = try receive(atOnce: 1) { (message, datagram) throws(NetlinkDecodingError) in
        guard message.sequence == sequence else { return false }
        if message.type != MessageType.error { try body(message, datagram) }
        return true
      }
      guard isAnswered else {
        throw KernelPathError(.netlinkFailed, "the kernel left a question about a link unanswered")
      }
    }
  }

  // MARK: Dumps

  /// Asks for all objects of a kind, such as all links, and passes each message to `body`.
  ///
  /// - Parameters:
  ///   - kind: The name of the listed objects, for an error.
  ///   - isOptional: Whether a kernel may be built without the kind, so that no objects exist.
  ///   - limit: Reading ends after so many pieces. The socket cannot be used again if there are more.
  /// - Returns: Whether the dump is consistent; `false` when the kernel reports a change during it, or the limit is
  ///   reached.
  func dump(
    _ request: [UInt8], of kind: String, isOptional: Bool = false, limit: Int = .max,
    _ body: (NetlinkMessage, Span<UInt8>) throws(NetlinkDecodingError) -> Void
  ) throws(KernelPathError) -> Bool {
    let sequence = try send(request)
    var isConsistent = true
    var failure: Int32 = 0
    let isComplete = try receive(atOnce: Self.dumpPieces, atMost: limit) {
      (message, datagram) throws(NetlinkDecodingError) in
      guard message.sequence == sequence else { return false }
      if message.flags & MessageFlag.dumpInterrupted != 0 { isConsistent = false }
      switch message.type {
      case MessageType.done, MessageType.error:
        failure = try message.errorNumber(in: datagram)
        return true
      default:
        try body(message, datagram)
        return false
      }
    }
    guard isComplete else { return false }
    guard failure == 0 || isOptional && [EOPNOTSUPP, EAFNOSUPPORT].contains(failure) else {
      throw KernelPathError(.netlinkFailed, SystemError("list \(kind)", errorNumber: failure).description)
    }
    return isConsistent
  }

  // MARK: Transport

  /// Reserves sequence numbers and returns the first of them.
  private func sequences(_ count: Int) -> UInt32 {
    defer { nextSequence &+= UInt32(count) }
    return nextSequence
  }

  /// Sends a request and returns its sequence number.
  private func send(_ request: [UInt8]) throws(KernelPathError) -> UInt32 {
    let sequence = sequences(1)
    var request = request
    request.overwrite(at: 8, with: sequence)
    try send(request, request.indices)
    return sequence
  }

  private func send(_ bytes: borrowing [UInt8], _ range: Range<Int>) throws(KernelPathError) {
    do throws(SystemError) {
      try NetlinkOptions.send(bytes.span.extracting(range), over: socket.descriptor)
    } catch {
      throw KernelPathError(error)
    }
  }

  /// Receives messages and passes them to `body`, until it returns `true` for the last answer.
  ///
  /// - Parameters:
  ///   - limit: The number of datagrams that are received at once.
  ///   - most: Receiving ends after so many datagrams.
  /// - Returns: Whether the last answer has arrived. The kernel has answered when a request has been sent, and makes
  ///   a part of a dump when the one before is read, so an empty queue means a lost answer.
  private func receive(
    atOnce limit: Int, atMost most: Int = .max,
    until body: (NetlinkMessage, Span<UInt8>) throws(NetlinkDecodingError) -> Bool
  ) throws(KernelPathError) -> Bool {
    let buffer = buffer
    var isAnswered = false
    var count = 0
    while !isAnswered {
      if count >= most { return false }
      let received: Int
      do throws(SystemError) {
        received = try buffer.receive(from: socket.descriptor, limit: limit)
      } catch {
        // A lost datagram shows as a missing answer.
        if error.errorNumber == ENOBUFS { return false }
        throw KernelPathError(error)
      }
      if received == 0 { return false }
      count += received
      // Any process may send to our port: only messages of the kernel are accepted.
      for slot in 0..<received where buffer.envelope(slot).senderPort == 0 {
        let datagram = buffer.datagram(slot)
        var offset = 0
        do throws(NetlinkDecodingError) {
          while let message = try NetlinkMessage.next(in: datagram, &offset) {
            if try body(message, datagram) { isAnswered = true }
          }
        } catch {
          throw KernelPathError(.malformedMessage, error.description)
        }
      }
    }
    return true
  }
}
