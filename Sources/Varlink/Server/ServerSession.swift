/// One client's side of a service, as a value: bytes come in, calls come out one at a time, replies go in, bytes to
/// send come out. Pure; ``VarlinkConnection`` obeys it.
///
/// A call is taken only when the one before is answered and its reply is sent. What a client sends ahead stays in the
/// kernel's buffer until then, so that no client can make us hold more than one incomplete call and one reply.
package struct ServerSession: Sendable {
  /// What to do next.
  package enum Step: Equatable, Sendable {
    /// Serve the call, then ``answer(_:continues:)``.
    case serve(VarlinkCall)
    /// Answer with the error; the stream cannot be read on, so the connection ends when it is sent.
    case refuse(VarlinkError)
    /// Wait: for input, for the answer to the call, or for room to send.
    case wait
    /// Close the connection: everything has been said.
    case close
  }

  private enum State: Sendable {
    /// The next call may be taken.
    case idle
    /// A call is being served.
    case serving(isOneway: Bool)
    /// No call is taken any more.
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
  ///   - limit: How many bytes a call may have.
  ///   - refusal: How a longer one is answered.
  package init(limit: Int, refusal: @escaping @Sendable (FrameReader.FrameTooLong) -> VarlinkError) {
    reader = FrameReader(limit: limit)
    self.refusal = refusal
  }

  // MARK: Calls

  /// Takes bytes that the client sent.
  package mutating func receive(_ bytes: ArraySlice<UInt8>) {
    reader.append(bytes)
  }

  /// Takes note that the client sends no more. It may still listen.
  package mutating func receiveEnd() {
    hasEnded = true
  }

  /// How many bytes are held for calls that have not been served.
  package var bytesHeld: Int { reader.bytesHeld }

  /// Whether input is of use now; otherwise it is better left in the kernel.
  package var wantsInput: Bool {
    guard case .idle = state else { return false }
    return outgoing.isEmpty && !hasEnded
  }

  /// Whether ``next()`` has something to say without further input, or may have.
  package var hasMore: Bool {
    guard outgoing.isEmpty else { return false }
    switch state {
    case .idle: return reader.bytesHeld > 0 && !reader.isWithinFrame || hasEnded
    case .ending: return true
    case .serving: return false
    }
  }

  /// What to do next.
  package mutating func next() -> Step {
    guard outgoing.isEmpty else { return .wait }
    switch state {
    case .serving: return .wait
    case .ending: return .close
    case .idle: break
    }
    do throws(FrameReader.FrameTooLong) {
      guard let frame = try reader.next() else { return hasEnded ? .close : .wait }
      return take(frame)
    } catch {
      state = .ending
      return .refuse(refusal(error))
    }
  }

  private mutating func take(_ frame: ArraySlice<UInt8>) -> Step {
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

  /// Whether a call is being served whose client wants replies, and all of them so far are sent.
  package var isIdleStream: Bool {
    guard case .serving(isOneway: false) = state else { return false }
    return outgoing.isEmpty
  }

  /// Takes a reply to the call that is being served; a client that wants none gets none.
  ///
  /// A reply that comes before the one before is sent follows it.
  ///
  /// - Parameter continues: Whether more replies follow.
  package mutating func answer(_ frame: [UInt8], continues: Bool = false) {
    guard case .serving(let isOneway) = state else { return }
    if !isOneway { enqueue(frame) }
    if !continues { state = .idle }
  }

  /// Takes the reply to what ``Step/refuse(_:)`` told of. The call that is being served, if any, gets no other.
  package mutating func refuse(_ frame: [UInt8]) {
    state = .ending
    // Nothing of it is read any more.
    reader = FrameReader(limit: 0)
    enqueue(frame)
  }

  private mutating func enqueue(_ frame: [UInt8]) {
    if outgoing.isEmpty { outgoing = frame } else { outgoing += frame }
  }

  /// The frames that are being sent, mostly one; empty when everything is sent.
  package var frameToSend: [UInt8] { outgoing }
  /// How much of them is sent.
  package var bytesSent: Int { sentCount }
  /// Whether everything is sent.
  package var isDrained: Bool { outgoing.isEmpty }

  /// Takes note that so many more bytes are sent.
  package mutating func sent(_ count: Int) {
    sentCount += count
    guard sentCount >= outgoing.count else { return }
    outgoing = []
    sentCount = 0
  }
}
