internal import CSystemd
internal import Glibc

/// A connection to the system bus, sd-bus(3). It never blocks: its owner calls ``process()`` when the descriptor is
/// ready or the deadline has come.
@safe package final class SystemBus {
  /// The reason why the bus cannot be used.
  package struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The attempt that failed.
    package let attempt: String
    /// The errno.
    package let errorNumber: Int32

    /// The attempt and the reason for its failure, without a full stop.
    package var description: String {
      "cannot \(attempt): \(unsafe strerror(errorNumber).map { unsafe String(cString: $0) } ?? "errno \(errorNumber)")"
    }
  }

  /// A handler of messages. The cookie is that of the call that the message answers; 0 for signals.
  package typealias Handler = (borrowing BusMessage, _ cookie: UInt64) -> Void

  private let bus: OpaquePointer
  /// The handlers of messages. Their addresses are passed to C, so they live as long as the bus.
  private var handlers: [HandlerBox] = []

  /// Connects. Calls that are made meanwhile are sent when the bus has accepted the connection.
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

  /// The descriptor that a loop watches.
  package var descriptor: Int32 { unsafe sd_bus_get_fd(bus) }
  /// The readiness to watch for: `EPOLLIN` and `EPOLLOUT`, which have the values of poll(2).
  package var readiness: UInt32 { UInt32(max(0, unsafe sd_bus_get_events(bus))) }
  /// The latest time to call ``process()``, in microseconds of `CLOCK_MONOTONIC`; `nil` for never.
  package var deadline: UInt64? {
    var moment: UInt64 = 0
    return unsafe sd_bus_get_timeout(bus, &moment) >= 0 && moment != UInt64.max ? moment : nil
  }

  /// Handles received messages, up to a bound, so that other work does not wait for long.
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

  /// A registered handler, for any number of matches and calls.
  package struct Receiver {
    fileprivate let number: Int
  }

  /// Registers the handler as a receiver. Both live as long as the bus.
  package func receiver(_ handler: @escaping Handler) -> Receiver {
    handlers.append(HandlerBox(handler))
    return Receiver(number: handlers.count - 1)
  }

  private func pointer(_ receiver: Receiver) -> UnsafeMutableRawPointer {
    unsafe Unmanaged.passUnretained(handlers[receiver.number]).toOpaque()
  }

  /// The callback for libsystemd, which hands the message to the box.
  private static let callback: sd_bus_message_handler_t = { message, context, _ in
    guard let message = unsafe message, let context = unsafe context else { return 0 }
    let box = unsafe Unmanaged<HandlerBox>.fromOpaque(context).takeUnretainedValue()
    var cookie: UInt64 = 0
    if unsafe sd_bus_message_get_reply_cookie(message, &cookie) < 0 { cookie = 0 }
    box.handler(unsafe BusMessage(message), cookie)
    return 0
  }

  /// Calls the receiver for all signals that match the rule, dbus-daemon(1).
  package func match(_ rule: String, _ receiver: Receiver) throws(BusError) {
    try Self.check(
      "listen to the system bus",
      unsafe sd_bus_add_match_async(bus, nil, rule, Self.callback, nil, pointer(receiver)))
  }

  /// Calls a method with one string or no arguments. The call starts no service.
  ///
  /// - Returns: The cookie that the receiver gets with the answer.
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

/// A message of the bus while it is handled. Its values are read in order. A value of an unexpected type reads as `nil`
/// and ends the reading.
@safe package struct BusMessage: ~Copyable {
  private let message: OpaquePointer

  fileprivate init(_ message: OpaquePointer) {
    unsafe self.message = message
  }

  /// Whether the message reports a failed call.
  package var isError: Bool { unsafe sd_bus_message_is_method_error(message, nil) > 0 }

  /// The path of the object that the message is from or about.
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

  /// The next value, true or false.
  package func boolean() -> Bool? {
    var value: CInt = 0
    return read("b", &value) ? value != 0 : nil
  }

  /// The next value, a number of 32 bits without sign.
  package func number() -> UInt32? {
    var value: UInt32 = 0
    return read("u", &value) ? value : nil
  }

  /// Enters a container of the type with these contents, runs the body and leaves the container. Returns whether the
  /// container was there.
  @discardableResult
  package func inside(_ type: Unicode.Scalar, _ contents: String, _ body: () -> Void) -> Bool {
    let code = CChar(bitPattern: UInt8(ascii: type))
    guard unsafe sd_bus_message_enter_container(message, code, contents) > 0 else { return false }
    body()
    return unsafe sd_bus_message_exit_container(message) >= 0
  }

  /// Skips the next value.
  package func skip(_ type: String) -> Bool { unsafe sd_bus_message_skip(message, type) >= 0 }

  /// Reads an array of properties `a{sv}`. The body reads the value of a name that it knows, and returns whether it has
  /// read one.
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
