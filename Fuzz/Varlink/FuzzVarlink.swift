import PathModel

/// libFuzzer's entry: whatever a client sends, and however it is cut, it is served as if it had come at once, and all
/// that is served is answered.
///
/// The first byte says how many bytes follow it that are sizes of pieces; the rest is the stream. The pure half of
/// `Varlink` is compiled into the same module, see Fuzz/build.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzVarlink(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
  guard let first = input.first else { return 0 }
  let sizes = input.dropFirst().prefix(Int(first))
  let stream = input.dropFirst(1 + sizes.count)
  for limit in [40, 65_536] {
    let whole = Conversation(limit: limit, pieces: [stream], room: .max)
    let cut = Conversation(limit: limit, pieces: pieces(of: stream, sizes), room: 1 + Int(first) % 7)
    guard cut.calls == whole.calls, cut.output == whole.output else {
      fatalError("depends on how it is cut: \(cut.calls) or \(whole.calls)")
    }
  }
  for frame in stream.split(separator: 0, omittingEmptySubsequences: false) { checkReply(frame) }
  return 0
}

private func pieces(of stream: ArraySlice<UInt8>, _ sizes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
  var rest = stream
  var pieces: [ArraySlice<UInt8>] = []
  for size in sizes {
    pieces.append(rest.prefix(Int(size)))
    rest = rest.dropFirst(Int(size))
  }
  return pieces + [rest]
}

/// A client that sends the pieces whenever the session wants input, and then ends; what came of it.
private struct Conversation {
  private(set) var calls: [VarlinkCall] = []
  private(set) var output: [UInt8] = []
  private var session: ServerSession
  private var replies = 0
  private var isRefused = false
  /// How many bytes can be sent at once.
  private let room: Int

  private static let directory = ServiceDirectory(
    vendor: "v", product: "p", version: "1", url: "u", descriptions: [("a.b", "interface a.b\n")])

  init(limit: Int, pieces: [ArraySlice<UInt8>], room: Int) {
    self.room = room
    session = ServerSession(limit: limit) { VarlinkError("a.b.TooLong", ["limit": .integer(Int64($0.limit))]) }
    var isOpen = true
    for piece in pieces where isOpen {
      guard session.wantsInput else { fatalError("waits without wanting input") }
      session.receive(piece)
      isOpen = serveAll()
      if session.bytesHeld > limit { fatalError("holds \(session.bytesHeld) bytes for a call") }
    }
    if isOpen {
      session.receiveEnd()
      if serveAll() { fatalError("waits for a client that has ended") }
    }
    checkOutput()
  }

  /// Serves until the session waits for input. Returns whether it does; otherwise the connection has ended.
  private mutating func serveAll() -> Bool {
    while true {
      sendAll()
      switch session.next() {
      case .wait: return true
      case .close: return false
      case .refuse(let error):
        if isRefused { fatalError("refuses twice") }
        isRefused = true
        replies += 1
        session.refuse(error.frame)
      case .serve(let call):
        if isRefused { fatalError("serves after a refusal") }
        serve(call)
      }
    }
  }

  private mutating func serve(_ call: VarlinkCall) {
    guard (try? VarlinkCall(parsing: call.frame.dropLast())) == call else {
      fatalError("is another call when it is written: \(call)")
    }
    guard session.isServing, !session.wantsInput, session.next() == .wait else { fatalError("does not wait") }
    calls.append(call)
    switch Self.directory.answer(to: call) {
    case .reply(let frame): answer(frame, to: call)
    case .forward:
      guard call.interface == "a.b" else { fatalError("there is no such interface: \(call)") }
      if call.acceptsMore { answer(VarlinkReply.frame(continues: true) { _ in }, to: call, continues: true) }
      answer(VarlinkReply.frame { _ in }, to: call)
    }
  }

  private mutating func answer(_ frame: [UInt8], to call: VarlinkCall, continues: Bool = false) {
    if !call.isOneway { replies += 1 }
    session.answer(frame, continues: continues)
    guard session.isServing == continues else { fatalError("is not answered") }
  }

  private mutating func sendAll() {
    while !session.isSent {
      let rest = session.frameToSend[session.bytesSent...].prefix(room)
      output += rest
      session.sent(rest.count)
    }
  }

  private func checkOutput() {
    let frames = output.split(separator: 0, omittingEmptySubsequences: false)
    guard frames.count == replies + 1, frames[replies].isEmpty else {
      fatalError("\(replies) replies are \(frames.count - 1) frames")
    }
    for frame in frames.dropLast() where (try? VarlinkReply(parsing: frame)) == nil {
      fatalError("is no reply: \(String(decoding: frame, as: UTF8.self))")
    }
  }
}

/// A reply that can be read is the same when it is written and read again.
private func checkReply(_ frame: ArraySlice<UInt8>) {
  guard let reply = try? VarlinkReply(parsing: frame) else { return }
  var expected = reply
  let written: [UInt8]
  if let error = reply.error {
    expected.continues = false
    written = VarlinkError(error, reply.parameters).frame
  } else {
    written = VarlinkReply.frame(continues: reply.continues) { writer in
      for member in reply.parameters.members {
        writer.key(member.key)
        member.value.write(to: &writer)
      }
    }
  }
  guard (try? VarlinkReply(parsing: written.dropLast())) == expected else {
    fatalError("is another reply when it is written: \(reply)")
  }
}
