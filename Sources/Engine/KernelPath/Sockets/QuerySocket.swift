internal import CNetlink
internal import Glibc
internal import PathDecisions
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

  /// Opens a socket.
  ///
  /// - Parameter family: The family of messages, by default those about links, addresses and routes.
  init(of family: Int32 = NETLINK_ROUTE) throws(KernelPathError) {
    socket = try NetlinkSocket(of: family, receiveBuffer: 1 << 20)
    do throws(SystemError) {
      try NetlinkOptions.enableStrictChecking(socket.descriptor)
    } catch {
      notes.append("strict checks are not available: \(error.reason)")
    }
  }

  // MARK: Routes

  /// The most questions in a datagram. Their answers must fit into the receive buffer that the kernel grants (208 KiB
  /// of accounting by default, up to 5 KiB for each).
  static let batchSize = 32

  /// The kernel's answers to route lookups, in the order of the questions.
  func answers(to queries: [RouteQuery]) throws(KernelPathError) -> [RouteAnswer] {
    var answers: [RouteAnswer] = []
    answers.reserveCapacity(queries.count)
    while answers.count < queries.count {
      try ask(queries, answers.count..<min(answers.count + Self.batchSize, queries.count), &answers)
    }
    return answers
  }

  /// Asks those of the questions that are in the range.
  private func ask(
    _ queries: [RouteQuery], _ batch: Range<Int>, _ answers: inout [RouteAnswer]
  ) throws(KernelPathError) {
    for _ in 1...3 {
      if try askOnce(queries, batch, &answers) { return }
      // The answers did not fit into the receive buffer, or other messages were in it.
      answers.removeSubrange(batch.lowerBound...)
    }
    throw KernelPathError(.netlinkFailed, "the kernel left route lookups unanswered")
  }

  /// Returns whether the kernel has answered all questions.
  private func askOnce(
    _ queries: [RouteQuery], _ batch: Range<Int>, _ answers: inout [RouteAnswer]
  ) throws(KernelPathError) -> Bool {
    let first = sequences(batch.count)
    var request = NetlinkRequest(capacity: batch.count)
    for number in 0..<batch.count {
      request.add(queries[batch.lowerBound + number], sequence: first &+ UInt32(number))
    }
    try send(request.bytes)
    var count = 0
    var failure: Int32?
    let isAnswered = try receive(atOnce: batch.count) { (message) throws(NetlinkDecodingError) in
      // The kernel answers in the order of the questions.
      guard count < batch.count, message.sequence == first &+ UInt32(count), let answer = try RouteAnswer(message)
      else { return false }
      answers.append(answer)
      failure = answer.failure ?? failure
      count += 1
      return count == batch.count
    }
    if let failure, isAnswered {
      throw KernelPathError(.netlinkFailed, SystemError("look up a route", errorNumber: failure).description)
    }
    return isAnswered
  }

  // MARK: Single objects

  /// Sends requests that the kernel answers with one message each, and passes the answers to `body`, in order. An
  /// object that is gone gets an error as its answer, and is left out.
  func ask(
    _ requests: [[UInt8]], _ body: (NetlinkMessage) throws(NetlinkDecodingError) -> Void
  ) throws(KernelPathError) {
    for request in requests {
      let sequence = try sendNumbered(request)
      let isAnswered = try receive(atOnce: 1) { (message) throws(NetlinkDecodingError) in
        guard message.sequence == sequence else { return false }
        if message.type != NLMSG_ERROR { try body(message) }
        return true
      }
      guard isAnswered else {
        throw KernelPathError(.netlinkFailed, "the kernel left a question about a link unanswered")
      }
    }
  }

  /// Sends orders in one datagram. The kernel answers only those that it refuses.
  ///
  /// - Returns: The error number of each refusal, by the place of the order.
  func order(_ requests: [[UInt8]]) throws(KernelPathError) -> [Int: Int32] {
    let first = sequences(requests.count)
    var bytes: [UInt8] = []
    for (place, request) in requests.enumerated() {
      let start = bytes.count
      bytes += request
      bytes.overwrite(at: start + NetlinkRequest.sequenceOffset, with: first &+ UInt32(place))
    }
    try send(bytes)
    var refusals: [Int: Int32] = [:]
    _ = try receive(atOnce: DatagramBuffer.slotCount) { (message) throws(NetlinkDecodingError) in
      let place = Int(message.sequence &- first)
      if message.type == NLMSG_ERROR, requests.indices.contains(place) {
        refusals[place] = try message.errorNumber()
      }
      return false
    }
    return refusals
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
    _ body: (NetlinkMessage) throws(NetlinkDecodingError) -> Void
  ) throws(KernelPathError) -> Bool {
    let sequence = try sendNumbered(request)
    var isConsistent = true
    var failure: Int32 = 0
    let isComplete = try receive(atOnce: Self.dumpPieces, atMost: limit) {
      (message) throws(NetlinkDecodingError) in
      guard message.sequence == sequence else { return false }
      if Int32(message.flags) & NLM_F_DUMP_INTR != 0 { isConsistent = false }
      switch message.type {
      case NLMSG_DONE, NLMSG_ERROR:
        failure = try message.errorNumber()
        return true
      default:
        try body(message)
        return false
      }
    }
    guard isComplete else { return false }
    guard failure == 0 || isOptional && [EOPNOTSUPP, EAFNOSUPPORT].contains(failure) else {
      throw KernelPathError(SystemError("list \(kind)", errorNumber: failure))
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
  private func sendNumbered(_ request: [UInt8]) throws(KernelPathError) -> UInt32 {
    let sequence = sequences(1)
    var request = request
    request.overwrite(at: NetlinkRequest.sequenceOffset, with: sequence)
    try send(request)
    return sequence
  }

  private func send(_ bytes: [UInt8]) throws(KernelPathError) {
    do throws(SystemError) {
      try NetlinkOptions.send(bytes.span, over: socket.descriptor)
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
    until body: (NetlinkMessage) throws(NetlinkDecodingError) -> Bool
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
        var messages = NetlinkMessages(buffer.datagram(slot))
        do throws(NetlinkDecodingError) {
          while let message = try messages.next() {
            if try body(message) { isAnswered = true }
          }
        } catch {
          throw KernelPathError(.malformedMessage, error.description)
        }
      }
    }
    return true
  }
}
