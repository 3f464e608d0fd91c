import Foundation
import Glibc
import ProcessTestSupport
import SystemIO
import Testing

@Suite("System calls")
struct SystemCallTests {
  @Test func `a call that a signal interrupts is made again`() throws {
    var remaining = 3
    let result = try systemCall("try") { () -> Int32 in
      remaining -= 1
      guard remaining == 0 else {
        errno = EINTR
        return -1
      }
      return 42
    }
    #expect(result == 42)
    #expect(remaining == 0)
  }

  @Test func `any other failure throws with its errno, and is not tried again`() {
    var calls = 0
    #expect(throws: SystemError("try", errorNumber: EAGAIN)) {
      try systemCall("try") { () -> Int32 in
        calls += 1
        errno = EAGAIN
        return -1
      }
    }
    #expect(calls == 1)
  }

  @Test func `a reader that a signal interrupts reads on`() throws {
    let pipe = TestPipe()
    let (reading, writing) = (pipe.reading, pipe.writing)
    ignoringSignalHandler(SIGWINCH)
    let reader = ThreadReference()
    let byte = Background {
      reader.note()
      var byte: UInt8 = 0
      try systemCall("read") { unsafe read(reading, &byte, 1) }
      return byte
    }
    reader.interrupt(by: SIGWINCH, times: 20)
    try Output.write([7], to: writing)
    #expect(try byte.wait() == 7)
  }

  @Test func `writing into a pipe without a reader fails with EPIPE instead of ending the program`() throws {
    Output.failWithoutSignals()
    let pipe = TestPipe()
    try Output.write(Array("heard".utf8), to: pipe.writing)
    #expect(try pipe.read(5) == Array("heard".utf8))
    try pipe.closeReading()
    let error = try #require(throws: SystemError.self) { try Output.write([1], to: pipe.writing) }
    #expect(error.isBrokenPipe)
    #expect(error.description == "cannot write: Broken pipe")
  }

  @Test func `a pipe that is full and does not wait is waited for`() throws {
    let pipe = TestPipe()
    let writing = pipe.writing
    let flags = fcntl(writing, F_GETFL)
    #expect(fcntl(writing, F_SETFL, flags | O_NONBLOCK) == 0)
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let written = Background { try Output.write(bytes, to: writing) }
    var received: [UInt8] = []
    while received.count < bytes.count { received += try pipe.read(50_000) }
    try written.wait()
    #expect(received == bytes)
  }

  @Test func `a message for a reader that has stopped ends where the room does, and is not waited for`() throws {
    let pipe = TestPipe()
    let bytes = [UInt8](repeating: 7, count: 300_000)
    Output.tell(bytes, to: pipe.writing, patience: 0)
    Output.tell([8], to: pipe.writing, patience: 0)
    try pipe.closeWriting()
    let received = try pipe.read(400_000)
    #expect((4_096..<300_000).contains(received.count))
    #expect(received.allSatisfy { $0 == 7 })
  }

  @Test func `nothing to write is written at once`() throws {
    try Output.write([], to: -1)
    #expect(throws: SystemError("write", errorNumber: EBADF)) { try Output.write([1], to: -1) }
  }

  @Test func `a pipe is no terminal, and has no width`() {
    let pipe = TestPipe()
    #expect(!Output.isTerminal(pipe.writing))
    #expect(Output.terminalWidth(pipe.writing) == nil)
  }

  @Test func `an errno without words is still named`() {
    #expect(SystemError("try", errorNumber: 12_345).description.contains("12345"))
    #expect(SystemError("try", errorNumber: ENOENT).reason == "No such file or directory")
  }

  @Test func `durations and moments of the monotonic clock agree`() {
    let moment = MonotonicInstant(nanoseconds: 5_000_000_000)
    #expect(moment.advanced(by: .milliseconds(1_500)).nanoseconds == 6_500_000_000)
    #expect(moment.advanced(by: .milliseconds(-1_500)).nanoseconds == 3_500_000_000)
    #expect(moment.duration(to: moment.advanced(by: .microseconds(7))) == .microseconds(7))
    #expect(MonotonicInstant.now <= MonotonicInstant.now)
    #expect(boottimeMicroseconds() >= Int(MonotonicInstant.now.nanoseconds / 1_000) - 1_000_000)
  }
}
