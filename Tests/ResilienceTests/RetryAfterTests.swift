import Resilience
import Testing

@Suite("The header field Retry-After")
struct RetryAfterTests {
  /// Thursday, 21 October 2015, 07:00:00 UTC.
  private static let now: Int64 = 1_445_410_800

  @Test(
    "seconds and all forms of an HTTP date are read",
    arguments: [
      ("120", 120), (" 17 ", 17), ("0", 0), ("Wed, 21 Oct 2015 07:28:00 GMT", 1_680),
      ("Wednesday, 21-Oct-15 07:28:00 GMT", 1_680), ("Wed Oct 21 07:28:00 2015", 1_680),
      ("Wed Oct  7 07:28:00 2015", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Sunday, 06-Nov-94 08:49:37 GMT", 0),
      // A leap day, and the leap second at the end of 2016.
      ("Mon, 29 Feb 2016 07:00:00 GMT", 11_318_400), ("Sat, 31 Dec 2016 23:59:60 GMT", 37_818_000),
      ("99999999999999999999", 1_000_000_000), ("Fri, 31 Dec 9999 23:59:59 GMT", 1_000_000_000),
      // More than 50 years ahead is the past.
      ("Sunday, 06-Nov-65 08:49:37 GMT", 1_000_000_000), ("Sunday, 06-Nov-66 08:49:37 GMT", 0),
    ])
  func forms(_ text: String, _ seconds: Int64) {
    #expect(RetryAfter(text, now: Self.now)?.delay(from: Self.now) == .seconds(seconds))
  }

  @Test(
    "any other text is no time",
    arguments: [
      "", " ", "-5", "+5", "1.5", "soon", "12 s", "0x10", "١٢", "Wed, 21 Oct 2015 07:28:00 UTC",
      "Wed, 21 Okt 2015 07:28:00 GMT", "Wed, 31 Feb 2015 07:28:00 GMT", "Wed, 29 Feb 2015 07:28:00 GMT",
      "Wed, 21 Oct 2015 24:00:00 GMT", "Wed, 21 Oct 2015 07:60:00 GMT", "Wed, 21 Oct 2015 07:28 GMT",
      "Wed, 1 Oct 2015 07:28:00 GMT", "Wednesday, 21-Oct-2015 07:28:00 GMT", "Wednesday, 21-15 07:28:00 GMT",
      "21 Oct 2015 07:28:00 GMT", "Wed Oct 211 07:28:00 2015", "2015-10-21T07:28:00Z",
    ])
  func garbage(_ text: String) {
    #expect(RetryAfter(text, now: Self.now) == nil)
  }

  @Test func `the clock of another machine may show any time`() {
    let moment = RetryAfter.moment(secondsSince1970: .max)
    #expect(moment.delay(from: .min) == .zero)
    #expect(moment.delay(from: 0) == .seconds(1_000_000_000))
    #expect(RetryAfter.moment(secondsSince1970: 5).delay(from: 9) == .zero)
  }
}
