internal import Glibc
internal import PathModel
internal import SystemIO

/// The socket for questions. It has no filter, which would drop answers as well.
///
/// Many questions go out in one datagram; the kernel has answered all of them when the call returns, so that
/// nothing is ever waited for.
final class QuerySocket {
  private let socket: NetlinkSocket
  /// The kernel sends no dump in larger pieces than this.
  private let buffer = DatagramBuffer(slotSize: 32_768)
  private var nextSequence: UInt32 = 1
  private var recentBatches: [EncodedBatch] = []

  /// Requests ready to be sent: the same questions are asked again and again.
  private struct EncodedBatch {
    var queries: [RouteQuery]
    var bytes: [UInt8]
    /// Where the sequence number of each request is.
    var sequenceOffsets: [Int]
  }

  /// How many questions are put at once: their answers must fit into the receive buffer the kernel grants
  /// (208 KiB of accounting by default, up to 5 KiB for each).
  private static let batchSize = 32

  /// How many pieces of a dump are read at once: a bound on the memory that is touched.
  private static let dumpPieces = 4

  /// What the kernel refused, in words.
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

  /// The kernel's answers, in the order of the questions.
  func answers(to queries: [RouteQuery]) throws(KernelPathError) -> [RouteAnswer] {
    if queries.isEmpty { return [] }
    var answers: [RouteAnswer] = []
    answers.reserveCapacity(queries.count)
    if queries.count <= Self.batchSize {
      try ask(&recentBatches[rememberedBatch(queries)], into: &answers)
      return answers
    }
    for start in stride(from: 0, to: queries.count, by: Self.batchSize) {
      var batch = Self.encode(Array(queries[start..<min(start + Self.batchSize, queries.count)]))
      try ask(&batch, into: &answers)
    }
    return answers
  }

  /// Where the batch with these questions is remembered. Few are: an evaluation asks at most three, of which the
  /// last two differ with what came before.
  private func rememberedBatch(_ queries: [RouteQuery]) -> Int {
    if let known = recentBatches.firstIndex(where: { $0.queries == queries }) { return known }
    if recentBatches.count >= 16 { recentBatches.removeFirst() }
    recentBatches.append(Self.encode(queries))
    return recentBatches.count - 1
  }

  private static func encode(_ queries: [RouteQuery]) -> EncodedBatch {
    var batch = EncodedBatch(queries: queries, bytes: [], sequenceOffsets: [])
    for query in queries {
      batch.sequenceOffsets.append(batch.bytes.count + 8)
      batch.bytes += NetlinkRequest.route(query)
    }
    return batch
  }

  private func ask(_ batch: inout EncodedBatch, into answers: inout [RouteAnswer]) throws(KernelPathError) {
    for attempt in 1... {
      if try askOnce(&batch, into: &answers) { return }
      // The answers did not fit into the receive buffer, or something else was in it.
      if attempt == 3 { throw KernelPathError(.netlinkFailed, "the kernel left route lookups unanswered") }
    }
  }

  private func askOnce(_ batch: inout EncodedBatch, into answers: inout [RouteAnswer]) throws(KernelPathError) -> Bool {
    let first = nextSequence
    let count = batch.sequenceOffsets.count
    nextSequence &+= UInt32(count)
    for (index, offset) in batch.sequenceOffsets.enumerated() {
      batch.bytes.overwrite(at: offset, with: first &+ UInt32(index))
    }
    try send(batch.bytes)
    let start = answers.count
    var missing = count
    while missing > 0 {
      let received = try receive(limit: missing)
      if received == 0 { break }
      for slot in 0..<received {
        try readMessages(slot) { (message, datagram) throws(NetlinkDecodingError) in
          // The kernel answers in the order of the questions.
          guard message.sequence == first &+ UInt32(count - missing),
            let answer = try Self.answer(message, in: datagram)
          else { return }
          answers.append(answer)
          missing -= 1
        }
      }
    }
    guard missing == 0 else {
      answers.removeSubrange(start...)
      return false
    }
    for case .refused(let errorNumber) in answers[start...] where Self.isOwnFailure(errorNumber) {
      throw KernelPathError(
        .netlinkFailed, SystemError("look up a route", errorNumber: errorNumber).description)
    }
    return true
  }

  private static func answer(
    _ message: NetlinkMessage, in datagram: Span<UInt8>
  ) throws(NetlinkDecodingError) -> RouteAnswer? {
    switch message.type {
    case MessageType.newRoute: .route(try RouteFacts(message, in: datagram))
    case MessageType.error: .refused(errorNumber: try message.errorNumber(in: datagram))
    default: nil
    }
  }

  /// Whether an errno speaks of us instead of the routing decision.
  private static func isOwnFailure(_ errorNumber: Int32) -> Bool {
    [ENOMEM, ENOBUFS, EPERM, EAGAIN, EINTR].contains(errorNumber)
  }

  // MARK: Dumps

  /// Asks for all of a kind, such as all links, and hands over each message.
  ///
  /// - Parameters:
  ///   - kind: What is listed, for an error.
  ///   - isOptional: Whether a kernel may be built without the kind. Then there are none of it.
  /// - Returns: Whether the dump is consistent; `false` when the kernel says that something changed meanwhile.
  func dump(
    _ request: [UInt8], of kind: String, isOptional: Bool = false,
    _ body: (NetlinkMessage, Span<UInt8>) throws(NetlinkDecodingError) -> Void
  ) throws(KernelPathError) -> Bool {
    let sequence = nextSequence
    nextSequence &+= 1
    var request = request
    request.overwrite(at: 8, with: sequence)
    try send(request)
    var (isDone, isConsistent) = (false, true)
    var failure: Int32 = 0
    while !isDone {
      let received = try receive(limit: Self.dumpPieces)
      // The next part of a dump is made when the one before is read: an empty queue is an answer that got lost.
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

  private func send(_ bytes: [UInt8]) throws(KernelPathError) {
    try KernelPathError.translating { () throws(SystemError) in
      try NetlinkOptions.send(bytes, over: socket.descriptor)
    }
  }

  /// The number of datagrams received; a lost one shows as a missing answer.
  private func receive(limit: Int) throws(KernelPathError) -> Int {
    do throws(SystemError) {
      return try buffer.receive(from: socket.descriptor, limit: limit)
    } catch {
      if error.errorNumber == ENOBUFS { return 0 }
      throw KernelPathError(error)
    }
  }

  private func readMessages(
    _ slot: Int, _ body: (NetlinkMessage, Span<UInt8>) throws(NetlinkDecodingError) -> Void
  ) throws(KernelPathError) {
    do throws(NetlinkDecodingError) {
      try buffer.read(slot: slot) { (datagram, envelope) throws(NetlinkDecodingError) in
        // Any process may send to our port: only the kernel is listened to.
        guard envelope.senderPort == 0 else { return }
        try NetlinkMessage.forEach(in: datagram) { (message) throws(NetlinkDecodingError) in
          try body(message, datagram)
        }
      }
    } catch {
      throw KernelPathError(.malformedMessage, error.description)
    }
  }
}
