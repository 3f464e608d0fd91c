/// One client's side of a service, as a value: bytes come in, calls come out one at a time, replies go in, bytes to
/// send come out. Pure; ``VarlinkConnection`` obeys it.
///
/// A session takes a call only when the previous call is answered and its reply is sent. Until then, further calls stay
/// in the kernel's buffer, so a client can make us hold at most one incomplete call and one reply.
package struct ServerSession: Sendable {
  /// The next action of the connection.
  package enum Step: Equatable, Sendable {
    /// Serve the call, then ``answer(_:continues:)``.
    case serve(VarlinkCall)
    /// Answer with the error. The stream cannot be decoded any further, so the connection ends when the error is sent.
    case refuse(VarlinkError)
    /// Wait: for input, for the answer to the call, or for room to send.
    case wait
    /// Close the connection: nothing is left to send.
    case close
  }

  private enum State: Sendable {
    /// The next call may be taken.
    case idle
    /// A call is being served.
    case serving(isOneway: Bool)
    /// The session accepts no more calls.
    case ending
  }

  private let refusal: @Sendable (FrameReader.FrameTooLong) -> VarlinkError
  private var reader: FrameReader
  private var state = State.idle
  private var hasEnded = false
  private var outgoing: [UInt8] = []
  private var sentCount = 0

  /// A session with a new client.
  ///
  /// - Parameters:
  ///   - limit: The largest size of a call, in bytes.
  ///   - refusal: Makes the error that answers a larger call.
  package init(limit: Int, refusal: @escaping @Sendable (FrameReader.FrameTooLong) -> VarlinkError) {
    reader = FrameReader(limit: limit)
    self.refusal = refusal
  }

  // MARK: Calls

  /// Receives bytes that the client sent.
  package mutating func receive(_ bytes: ArraySlice<UInt8>) {
    reader.append(bytes)
  }

  /// Records that the client sends no more. It may still read.
  package mutating func receiveEnd() {
    hasEnded = true
  }

  /// The bytes held for calls that have not been served.
  package var bytesHeld: Int { reader.bytesHeld }

  /// Whether the session can use input now; otherwise the input stays in the kernel.
  package var wantsInput: Bool {
    guard case .idle = state else { return false }
    return outgoing.isEmpty && !hasEnded
  }

  /// Whether ``next()`` may return another step than ``Step/wait`` without further input.
  package var hasMore: Bool {
    guard outgoing.isEmpty else { return false }
    switch state {
    case .idle: return reader.bytesHeld > 0 && !reader.isWithinFrame || hasEnded
    case .ending: return true
    case .serving: return false
    }
  }

  /// Returns the next action.
  package mutating func next() -> Step {
    guard outgoing.isEmpty else { return .wait }
    switch state {
    case .serving: return .wait
    case .ending: return .close
    case .idle: break
    }
    do throws(FrameReader.FrameTooLong) {
      guard let frame = try reader.next() else { return hasEnded ? .close : .wait }
      return parse(frame)
    } catch {
      state = .ending
      return .refuse(refusal(error))
    }
  }

  private mutating func parse(_ frame: ArraySlice<UInt8>) -> Step {
    do throws(VarlinkError) {
      let call = try VarlinkCall(parsing: frame)
      state = .serving(isOneway: call.isOneway)
      return .serve(call)
    } catch {
      state = .ending
      return .refuse(error)
    }
  }

  // MARK: Replies

  /// Whether a call is being served.
  package var isServing: Bool {
    guard case .serving = state else { return false }
    return true
  }

  /// Whether the call being served has a client that wants replies, and all replies so far are sent.
  package var isIdleStream: Bool {
    guard case .serving(isOneway: false) = state else { return false }
    return outgoing.isEmpty
  }

  /// Takes a reply to the call that is being served; a one-way call gets none.
  ///
  /// If the previous reply is not sent completely, the new one follows it.
  ///
  /// - Parameter continues: Whether more replies follow.
  package mutating func answer(_ frame: [UInt8], continues: Bool = false) {
    guard case .serving(let isOneway) = state else { return }
    if !isOneway { enqueue(frame) }
    if !continues { state = .idle }
  }

  /// Takes the reply to ``Step/refuse(_:)``. The call that is being served, if any, gets no other.
  package mutating func refuse(_ frame: [UInt8]) {
    state = .ending
    // The rest of the input is not read.
    reader = FrameReader(limit: 0)
    enqueue(frame)
  }

  private mutating func enqueue(_ frame: [UInt8]) {
    if outgoing.isEmpty { outgoing = frame } else { outgoing += frame }
  }

  /// The frames that are being sent, usually one; empty when everything is sent.
  package var frameToSend: [UInt8] { outgoing }
  /// The number of their bytes that are sent.
  package var bytesSent: Int { sentCount }
  /// Whether everything is sent.
  package var isSent: Bool { outgoing.isEmpty }

  /// Records that so many more bytes are sent.
  package mutating func sent(_ count: Int) {
    sentCount += count
    guard sentCount >= outgoing.count else { return }
    outgoing = []
    sentCount = 0
  }
}
