import ConnectivityTesting
import NameService
import Testing

@Suite("The service that checks user names")
struct SignUpAnswerTests {
  private func answer(_ name: String, number: Int = 1) -> FaultAnswer {
    .signUp(FaultRequest("/isUserNameAvailable?userName=\(name)", number: number))
  }

  private func text(_ answer: FaultAnswer) -> String { String(decoding: answer.body, as: UTF8.self) }

  @Test(arguments: [
    ("", "empty"), ("abc", "too short"), ("%C3%A4%C3%B6%C3%BC", "too short"), ("admin", "reserved"),
    ("superuser", "reserved"),
  ])
  func `a name that is not allowed is refused with a reason`(name: String, reason: String) {
    #expect(answer(name).status == 400)
    #expect(text(answer(name)).contains(reason))
    #expect(text(answer(name)).hasPrefix(#"{"error":true,"reason":""#))
  }

  @Test func `a request without a name is refused`() {
    #expect(FaultAnswer.signUp(FaultRequest("/isUserNameAvailable")).status == 400)
  }

  @Test func `a broken server gives no hint when to try again`() {
    #expect(answer("servererror").status == 500)
    #expect(!answer("servererror").headers.contains { $0.name == "Retry-After" })
  }

  @Test func `a server under maintenance fails twice and then succeeds`() {
    let answers = (1...6).map { answer("maintenance", number: $0) }
    #expect(answers.map(\.status) == [500, 500, 200, 500, 500, 200])
    #expect(answers[0].headers.contains(.init(name: "Retry-After", value: "17")))
    #expect((1...6).allSatisfy { answer("maintenance!", number: $0).status == 500 })
  }

  @Test(arguments: ["page", "johndoe", "peterfriese", "johnnyappleseed"])
  func `a name that is taken is not available`(name: String) {
    #expect(text(answer(name)) == #"{"isAvailable":false,"userName":"\#(name)"}"#)
  }

  @Test func `a name that is not taken is available`() {
    #expect(text(answer("zebra%22%5C%0A")) == #"{"isAvailable":true,"userName":"zebra\"\\\u000a"}"#)
  }

  @Test func `an illegal response lacks the user name, a broken one its end`() {
    #expect(text(answer("illegalresponse")) == #"{"isAvailable":true}"#)
    #expect(!text(answer("brokenresponse")).hasSuffix("}"))
  }
}
