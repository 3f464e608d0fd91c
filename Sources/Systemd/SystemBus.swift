internal import CSystemd
internal import Glibc

/// A connection to the system bus, sd-bus(3). It never waits: whoever owns it calls ``process()`` when the descriptor is
/// ready or the time has come.
@safe package final class SystemBus {
  /// Why the bus cannot be used.
  package struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was attempted.
    package let attempt: String
    /// The errno.
    package let errorNumber: Int32

    /// What failed and why, without a full stop.
    package var description: String {
      "cannot \(attempt): \(unsafe strerror(errorNumber).map { unsafe String(cString: $0) } ?? "errno \(errorNumber)")"
    }
  }

  /// What is called with a message and the cookie of the call it answers; 0 for signals.
  package typealias Handler = (borrowing BusMessage, _ cookie: UInt64) -> Void

  private let bus: OpaquePointer
  /// What handles each kind of message; they are passed to C by their addresses, and live as long as the bus.
  private var handlers: [HandlerBox] = []

  /// Connects. What is asked meanwhile is sent when the bus has let us in.
  package init() throws(BusError) {
    var bus: OpaquePointer?
    try Self.check("connect to the system bus", unsafe sd_bus_open_system(&bus))
    guard let bus = unsafe bus else { throw BusError(attempt: "connect to the system bus", errorNumber: ENOMEM) }
    unsafe self.bus = bus
  }

  deinit {
    _ = unsafe sd_bus_close_unref(bus)
  }

  @discardableResult
  fileprivate static func check(_ attempt: String, _ result: Int32) throws(BusError) -> Int32 {
    guard result >= 0 else { throw BusError(attempt: attempt, errorNumber: -result) }
    return result
  }

  // MARK: The loop

  /// What a loop watches.
  package var descriptor: Int32 { unsafe sd_bus_get_fd(bus) }
  /// What for: `EPOLLIN` and `EPOLLOUT`, which are as in poll(2).
  package var readiness: UInt32 { UInt32(max(0, unsafe sd_bus_get_events(bus))) }
  /// When to call ``process()`` at the latest, in microseconds of `CLOCK_MONOTONIC`; `nil` for never.
  package var deadline: UInt64? {
    var moment: UInt64 = 0
    return unsafe sd_bus_get_timeout(bus, &moment) >= 0 && moment != UInt64.max ? moment : nil
  }

  /// Handles what has come in, up to a bound, so that nobody else has to wait for long.
  ///
  /// - Throws: When the connection is over.
  package func process() throws(BusError) {
    for _ in 0..<64 where try Self.check("use the system bus", unsafe sd_bus_process(bus, nil)) == 0 {
      return
    }
  }

  // MARK: Messages

  private final class HandlerBox {
    let handler: Handler
    init(_ handler: @escaping Handler) { self.handler = handler }
  }

  /// Something that handles messages, to be used for any number of matches and calls.
  package struct Receiver {
    fileprivate let number: Int
  }

  /// A receiver that calls the handler, as long as the bus lives.
  package func receiver(_ handler: @escaping Handler) -> Receiver {
    handlers.append(HandlerBox(handler))
    return Receiver(number: handlers.count - 1)
  }

  private func pointer(_ receiver: Receiver) -> UnsafeMutableRawPointer {
    unsafe Unmanaged.passUnretained(handlers[receiver.number]).toOpaque()
  }

  /// What libsystemd calls: it hands the message to the box.
  private static let callback: sd_bus_message_handler_t = { message, context, _ in
    guard let message = unsafe message, let context = unsafe context else { return 0 }
    let box = unsafe Unmanaged<HandlerBox>.fromOpaque(context).takeUnretainedValue()
    var cookie: UInt64 = 0
    if unsafe sd_bus_message_get_reply_cookie(message, &cookie) < 0 { cookie = 0 }
    box.handler(unsafe BusMessage(message), cookie)
    return 0
  }

  /// Has the receiver called for all signals that match the rule, dbus-daemon(1).
  package func match(_ rule: String, _ receiver: Receiver) throws(BusError) {
    try Self.check(
      "listen to the system bus",
      unsafe sd_bus_add_match_async(bus, nil, rule, Self.callback, nil, pointer(receiver)))
  }

  /// Calls a method that takes no or one string; no service is started for it.
  ///
  /// - Returns: The cookie that the receiver is told with the answer.
  package func call(
    _ service: String, _ path: String, _ interface: String, _ method: String, _ receiver: Receiver,
    argument: String? = nil
  ) throws(BusError) -> UInt64 {
    let attempt = "call \(method) on the system bus"
    var message: OpaquePointer?
    try Self.check(attempt, unsafe sd_bus_message_new_method_call(bus, &message, service, path, interface, method))
    defer { unsafe sd_bus_message_unref(message) }
    try Self.check(attempt, unsafe sd_bus_message_set_auto_start(message, 0))
    if let argument {
      let type = CChar(bitPattern: UInt8(ascii: "s"))
      try Self.check(attempt, unsafe argument.withCString { unsafe sd_bus_message_append_basic(message, type, $0) })
    }
    try Self.check(attempt, unsafe sd_bus_call_async(bus, nil, message, Self.callback, pointer(receiver), 0))
    var cookie: UInt64 = 0
    try Self.check(attempt, unsafe sd_bus_message_get_cookie(message, &cookie))
    return cookie
  }
}

/// A message of the bus while it is handled. What it holds is read in order; a type that is not expected reads as `nil`,
/// and ends the reading.
@safe package struct BusMessage: ~Copyable {
  private let message: OpaquePointer

  fileprivate init(_ message: OpaquePointer) {
    unsafe self.message = message
  }

  /// Whether it says that a call has failed.
  package var isError: Bool { unsafe sd_bus_message_is_method_error(message, nil) > 0 }

  /// The object it is from or about.
  package var path: String? { unsafe sd_bus_message_get_path(message).map { unsafe String(cString: $0) } }

  private func read<Value>(_ type: Unicode.Scalar, _ value: inout Value) -> Bool {
    unsafe withUnsafeMutablePointer(to: &value) {
      unsafe sd_bus_message_read_basic(message, CChar(bitPattern: UInt8(ascii: type)), $0)
    } > 0
  }

  /// The next value, a string.
  package func string() -> String? { text("s") }
  /// The next value, an object path.
  package func objectPath() -> String? { text("o") }

  private func text(_ type: Unicode.Scalar) -> String? {
    var pointer: UnsafePointer<CChar>?
    guard unsafe read(type, &pointer), let pointer = unsafe pointer else { return nil }
    return unsafe String(cString: pointer)
  }

  /// The next value, a number of 32 bits without sign.
  package func number() -> UInt32? {
    var value: UInt32 = 0
    return read("u", &value) ? value : nil
  }

  /// Goes into a container of the type with these contents, runs the body, and goes out again. Returns whether the
  /// container was there.
  @discardableResult
  package func inside(_ type: Unicode.Scalar, _ contents: String, _ body: () -> Void) -> Bool {
    let code = CChar(bitPattern: UInt8(ascii: type))
    guard unsafe sd_bus_message_enter_container(message, code, contents) > 0 else { return false }
    body()
    return unsafe sd_bus_message_exit_container(message) >= 0
  }

  /// Passes over the next value.
  package func skip(_ type: String) -> Bool { unsafe sd_bus_message_skip(message, type) >= 0 }

  /// Goes through an array of properties `a{sv}`; the body reads the value of a name that it knows, and says whether it
  /// has.
  package func properties(_ body: (String) -> Bool) {
    inside("a", "{sv}") {
      var isGood = true
      while isGood, inside("e", "sv", { isGood = property(body) }) {}
    }
  }

  private func property(_ body: (String) -> Bool) -> Bool {
    guard let name = string() else { return false }
    return body(name) || skip("v")
  }
}
