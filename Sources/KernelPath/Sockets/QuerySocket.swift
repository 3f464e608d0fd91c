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

  /// Asks for the answers of a batch that are outdated.
  func ask(_ batch: RouteBatch) throws(KernelPathError) {
    for attempt in 1... {
      if try askOnce(batch) { return }
      // The answers did not fit into the receive buffer, or other messages were in it.
      if attempt == 3 { throw KernelPathError(.netlinkFailed, "the kernel left route lookups unanswered") }
    }
  }

  private func askOnce(_ batch: RouteBatch) throws(KernelPathError) -> Bool {
    let requests = batch.outdatedRequests
    let first = nextSequence
    nextSequence &+= UInt32(requests.count)
    try batch.withBytes(of: requests, from: first) { (bytes, range) throws(KernelPathError) in
      try send(bytes, range)
    }
    var answers = batch.answers
    var next = requests.lowerBound
    var failure: Int32 = 0
    while next < requests.upperBound {
      let received = try receive(limit: requests.upperBound - next)
      if received == 0 { return false }
      for slot in 0..<received {
        try readMessages(slot) { (message, datagram) throws(NetlinkDecodingError) in
          // The kernel answers in the order of the questions.
          guard next < requests.upperBound, message.sequence == first &+ UInt32(next - requests.lowerBound),
            let reply = try RouteBatch.Reply(message, in: datagram)
          else { return }
          switch reply {
          case .answer(let answer): answers[batch.requests[next].position] = answer
          case .failure(let errorNumber): failure = errorNumber
          }
          next += 1
        }
      }
    }
    guard failure == 0 else {
      throw KernelPathError(.netlinkFailed, SystemError("look up a route", errorNumber: failure).description)
    }
    batch.renew(answers)
    return true
  }

  // MARK: Single objects

  /// Sends requests that the kernel answers with one message each, and passes the answers to `body`, in order. An
  /// object that is gone gets an error as its answer, and is left out.
  func ask(
    _ requests: [[UInt8]], _ body: (NetlinkMessage, Span<UInt8>) throws(NetlinkDecodingError) -> Void
  ) throws(KernelPathError) {
    let first = nextSequence
    nextSequence &+= UInt32(requests.count)
    for (number, var request) in requests.enumerated() {
      request.overwrite(at: 8, with: first &+ UInt32(number))
      try send(request, request.indices)
      var isAnswered = false
      while !isAnswered {
        // The kernel has answered when the call returns, so an empty queue means a lost answer.
        let received = try receive(limit: 1)
        if received == 0 { throw KernelPathError(.netlinkFailed, "the kernel left a question about a link unanswered") }
        try readMessages(0) { (message, datagram) throws(NetlinkDecodingError) in
          guard message.sequence == first &+ UInt32(number) else { return }
          isAnswered = true
          if message.type != MessageType.error { try body(message, datagram) }
        }
      }
    }
  }

  // MARK: Dumps

  /// Asks for all objects of a kind, such as all links, and passes each message to `body`.
  ///
  /// - Parameters:
  ///   - kind: The name of the listed objects, for an error.
  ///   - isOptional: Whether a kernel may be built without the kind, so that no objects exist.
  /// - Returns: Whether the dump is consistent; `false` when the kernel reports a change during it.
  func dump(
    _ request: [UInt8], of kind: String, isOptional: Bool = false,
    _ body: (NetlinkMessage, Span<UInt8>) throws(NetlinkDecodingError) -> Void
  ) throws(KernelPathError) -> Bool {
    let sequence = nextSequence
    nextSequence &+= 1
    var request = request
    request.overwrite(at: 8, with: sequence)
    try send(request, request.indices)
    var (isDone, isConsistent) = (false, true)
    var failure: Int32 = 0
    while !isDone {
      let received = try receive(limit: Self.dumpPieces)
      // The kernel makes a part of a dump when the one before is read, so an empty queue means a lost answer.
      if received == 0 { return false }
      for slot in 0..<received {
        try readMessages(slot) { (message, datagram) throws(NetlinkDecodingError) in
          guard message.sequence == sequence else { return }
          if message.flags & MessageFlag.dumpInterrupted != 0 { isConsistent = false }
          switch message.type {
          case MessageType.done, MessageType.error:
            failure = try message.errorNumber(in: datagram)
            isDone = true
          default: try body(message, datagram)
          }
        }
      }
    }
    guard failure == 0 || isOptional && [EOPNOTSUPP, EAFNOSUPPORT].contains(failure) else {
      throw KernelPathError(.netlinkFailed, SystemError("list \(kind)", errorNumber: failure).description)
    }
    return isConsistent
  }

  // MARK: Transport

  private func send(_ bytes: borrowing [UInt8], _ range: Range<Int>) throws(KernelPathError) {
    do throws(SystemError) {
      try NetlinkOptions.send(bytes.span.extracting(range), over: socket.descriptor)
    } catch {
      throw KernelPathError(error)
    }
  }

  /// Receives datagrams and returns their number. A lost datagram shows as a missing answer.
  private func receive(limit: Int) throws(KernelPathError) -> Int {
    do throws(SystemError) {
      return try buffer.receive(from: socket.descriptor, limit: limit)
    } catch {
      if error.errorNumber == ENOBUFS { return 0 }
      throw KernelPathError(error)
    }
  }

  /// Reads the messages of a datagram. Any process may send to our port: only messages of the kernel are accepted.
  private func readMessages(
    _ slot: Int, _ body: (NetlinkMessage, Span<UInt8>) throws(NetlinkDecodingError) -> Void
  ) throws(KernelPathError) {
    guard buffer.envelope(slot).senderPort == 0 else { return }
    let buffer = buffer
    let datagram = buffer.datagram(slot)
    var offset = 0
    do throws(NetlinkDecodingError) {
      while let message = try NetlinkMessage.next(in: datagram, &offset) { try body(message, datagram) }
    } catch {
      throw KernelPathError(.malformedMessage, error.description)
    }
  }
}
