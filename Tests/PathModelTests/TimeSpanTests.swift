import PathModel
import Testing

@Suite("Time spans")
struct TimeSpanTests {
  @Test(
    arguments: [
      ("0", .zero), ("5", .seconds(5)), ("50ms", .milliseconds(50)), ("50 ms", .milliseconds(50)),
      ("50msec", .milliseconds(50)), ("7us", .microseconds(7)), ("7usec", .microseconds(7)), ("7µs", .microseconds(7)),
      ("7μs", .microseconds(7)), ("1s", .seconds(1)), ("1sec", .seconds(1)), ("1second", .seconds(1)),
      ("2 seconds", .seconds(2)), ("2m", .seconds(120)), ("2min", .seconds(120)), ("2minutes", .seconds(120)),
      ("1h", .seconds(3600)), ("1hr", .seconds(3600)), ("2hours", .seconds(7200)), ("1d", .seconds(86_400)),
      ("2days", .seconds(172_800)), ("1w", .seconds(604_800)), ("1h 30min", .seconds(5400)),
      ("1h30min", .seconds(5400)),
      ("  1h   30min  ", .seconds(5400)), ("1 h 30", .seconds(3630)), ("0.5s", .milliseconds(500)),
      (".5s", .milliseconds(500)), ("5.s", .seconds(5)), ("1.5h", .seconds(5400)), ("0.0000005s", .zero),
      ("0.000001s", .microseconds(1)), ("1.999999999999s", .microseconds(1_999_999)), ("2s 1s", .seconds(3)),
      ("8766h", .seconds(31_557_600)), ("000001s", .seconds(1)),
    ] as [(String, Duration)])
  func `spans are read as systemd spells them`(text: String, span: Duration) throws {
    #expect(try TimeSpan.parse(text) == span)
  }

  @Test(arguments: [
    ("", "it is empty"), ("   ", "it is empty"), ("-5s", "'-5s' does not start with a number"),
    ("+5s", "'+5s' does not start with a number"), ("s", "'s' does not start with a number"),
    ("infinity", "'infinity' does not start with a number"), ("5s,", "',' does not start with a number"),
    ("5s -1s", "'-1s' does not start with a number"), ("5/s", "'/s' does not start with a number"),
    ("5x", "'x' is not a unit (us, ms, s, min, h, d, w)"), ("5S", "'S' is not a unit (us, ms, s, min, h, d, w)"),
    ("5M", "'M' is not a unit (us, ms, s, min, h, d, w)"), ("5y", "'y' is not a unit (us, ms, s, min, h, d, w)"),
    ("1e3s", "'e' is not a unit (us, ms, s, min, h, d, w)"), (".", "'.' is not a number"),
    ("1.2.3s", "'1.2.3' is not a number"), ("..s", "'..' is not a number"), ("8767h", "it is longer than a year"),
    ("366d", "it is longer than a year"), ("365d 7h", "it is longer than a year"),
    ("31557600.1", "it is longer than a year"), ("9223372036854775807s", "it is longer than a year"),
    ("99999999999999999999us", "it is longer than a year"),
  ])
  func `other texts are refused, and the message has the reason`(text: String, message: String) {
    let error = #expect(throws: TimeSpan.ParseError.self) { try TimeSpan.parse(text) }
    #expect(error?.description == message)
  }

  @Test(arguments: ["٣s", "5\u{301}s", "0.5\u{301}s", "0.5\u{20e3}s", "１s"])
  func `only the digits from 0 to 9 are digits`(text: String) {
    #expect(throws: TimeSpan.ParseError.self) { try TimeSpan.parse(text) }
  }
}
