import Testing

@testable import signup

@Suite("The form")
struct SignUpFormTests {
  private static let problem = SignUpForm.Problem(
    number: 7, sentences: ["There is no network connection.", "Check the network, and try again."],
    options: [.init(id: "try-again", title: "Try Again"), .init(id: "cancel", title: "Cancel")])

  /// A form into which a name was typed.
  private func form(_ name: String) -> SignUpForm {
    var form = SignUpForm()
    for character in name { _ = form.receive(.key(.character(character))) }
    return form
  }

  private func submitted(_ name: String) -> SignUpForm {
    var form = form(name)
    #expect(form.receive(.key(.enter)) == .signUp(name: name, attempt: 1))
    return form
  }

  private func text(_ form: SignUpForm) -> String {
    form.page(ScreenSize(rows: 24, columns: 80)).map(\.text).joined(separator: "\n")
  }

  @Test func `each letter asks for a check of the whole name`() {
    var form = form("zeb")
    let action = form.receive(.key(.character("r")))
    #expect(action == .check(.init(name: "zebr", round: 0)))
    #expect(form.receive(.key(.erase)) == .check(.init(name: "zeb", round: 0)))
  }

  @Test func `the form itself refuses a short name beside the field`() {
    var form = form("zeb")
    #expect(form.note == "at least 4 characters")
    #expect(!form.canSubmit)
    #expect(form.receive(.key(.enter)) == .none)
  }

  @Test func `a refused name has its reason beside the field and cannot be submitted`() {
    var form = form("admin")
    _ = form.receive(.note("This user name is reserved.", for: "admin"))
    _ = form.receive(.verdict(false, for: "admin"))
    #expect(text(form).contains("admin_   This user name is reserved."))
    #expect(form.receive(.key(.enter)) == .none)
    #expect(form.receive(.key(.erase)) == .check(.init(name: "admi", round: 0)))
    #expect(form.note == nil)
    #expect(form.canSubmit)
  }

  @Test func `an answer for an older name changes nothing`() {
    var form = form("zebra")
    let before = form
    _ = form.receive(.note("taken", for: "zebr"))
    _ = form.receive(.verdict(false, for: "zebr"))
    #expect(form == before)
  }

  @Test func `a name that could not be checked stays silent and can be submitted`() {
    var form = form("zebra")
    _ = form.receive(.note(nil, for: "zebra"))
    _ = form.receive(.verdict(nil, for: "zebra"))
    #expect(form.note == nil)
    #expect(form.message == nil)
    #expect(form.canSubmit)
  }

  @Test func `a network that is back checks the name again, in a new round`() {
    var form = form("zebra")
    #expect(form.receive(.online) == .check(.init(name: "zebra", round: 1)))
    _ = form.receive(.verdict(true, for: "zebra"))
    #expect(form.receive(.online) == .none)
  }

  @Test func `a problem is shown with its options, and a digit chooses one`() {
    var form = submitted("zebra")
    _ = form.receive(.problem(Self.problem))
    #expect(text(form).contains(" There is no network connection.\n Check the network, and try again."))
    #expect(text(form).contains("   1  Try Again\n   2  Cancel"))
    for key: SignUpForm.Key in [.character("0"), .character("3"), .character("x"), .erase] {
      #expect(form.receive(.key(key)) == .none)
    }
    #expect(form.receive(.key(.character("1"))) == .choose("try-again", problem: 7))
    #expect(form.problem == nil)
    #expect(form.message == "Signing up …")
  }

  @Test func `Enter takes the first option, and Esc the last, which gives up`() {
    var form = submitted("zebra")
    _ = form.receive(.problem(Self.problem))
    var other = form
    #expect(form.receive(.key(.enter)) == .choose("try-again", problem: 7))
    #expect(other.receive(.key(.escape)) == .choose("cancel", problem: 7))
    _ = other.receive(.progress(.isOver, attempt: 1))
    #expect(other.receive(.key(.enter)) == .signUp(name: "zebra", attempt: 2))
  }

  @Test func `the end of a presentation takes away its problem and no other`() {
    var form = submitted("zebra")
    _ = form.receive(.problem(Self.problem))
    _ = form.receive(.problemIsOver(6))
    #expect(form.problem == Self.problem)
    _ = form.receive(.problemIsOver(7))
    #expect(form.problem == nil)
  }

  @Test func `a problem while typing keeps the name`() {
    var form = form("zebra")
    _ = form.receive(.problem(Self.problem))
    #expect(form.receive(.key(.character("x"))) == .none)
    #expect(form.receive(.key(.escape)) == .choose("cancel", problem: 7))
    #expect(form.name == "zebra")
    #expect(form.message == nil)
  }

  @Test func `a refusal of the submitted form is beside the field`() {
    var form = submitted("zebra")
    _ = form.receive(.progress(.refused("taken"), attempt: 1))
    #expect(form.note == "taken")
    #expect(form.message == nil)
    #expect(!form.canSubmit)
  }

  @Test func `a pause is shown with the failure before it`() {
    var form = submitted("zebra")
    _ = form.receive(.progress(.failed("The server has failed."), attempt: 1))
    _ = form.receive(.progress(.pausing(seconds: 17), attempt: 1))
    #expect(form.message == "The server has failed. Trying again in 17 s. Esc gives up.")
    _ = form.receive(.progress(.waitingForNetwork, attempt: 1))
    #expect(form.message == "Waiting for the network …")
  }

  @Test func `an attempt that was given up has no result`() {
    var form = submitted("zebra")
    #expect(form.receive(.key(.character("x"))) == .none)
    #expect(form.receive(.key(.escape)) == .abandon)
    _ = form.receive(.progress(.signedUp, attempt: 1))
    #expect(!form.isSignedUp)
    #expect(form.message == "Given up.")
    #expect(form.receive(.key(.enter)) == .signUp(name: "zebra", attempt: 2))
    _ = form.receive(.progress(.refused("taken"), attempt: 1))
    #expect(form.note == nil)
  }

  @Test func `a user who is signed up leaves with Enter`() {
    var form = submitted("zebra")
    _ = form.receive(.progress(.signedUp, attempt: 1))
    #expect(form.message == "Welcome, zebra!")
    #expect(form.receive(.key(.enter)) == .quit)
  }

  @Test(arguments: [(1, 1), (3, 10), (24, 80)])
  func `the page fits the screen`(rows: Int, columns: Int) {
    var form = submitted(String(repeating: "z", count: 30))
    for _ in 0..<2 {
      let page = form.page(ScreenSize(rows: rows, columns: columns))
      #expect(page.count <= rows)
      #expect(page.allSatisfy { $0.text.count <= columns })
      _ = form.receive(.problem(Self.problem))
    }
  }

  @Test func `a text of the service cannot move the cursor`() {
    var form = form("zebra")
    _ = form.receive(.note("\u{1b}[2J\u{202e}\n", for: "zebra"))
    _ = form.receive(.problem(.init(number: 1, sentences: ["a\u{1b}]0;b\u{7}"], options: [.init(id: "", title: "\r")])))
    #expect(!text(form).unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
    #expect(!text(form).unicodeScalars.contains("\u{202e}"))
  }

  @Test func `keys of a terminal are decoded, and cursor keys have no meaning`() {
    #expect(SignUpForm.Key.keys(in: Array("aä\r".utf8)) == [.character("a"), .character("ä"), .enter])
    #expect(SignUpForm.Key.keys(in: [127, 8, 21, 27]) == [.erase, .erase, .eraseAll, .escape])
    #expect(SignUpForm.Key.keys(in: [27]) == [.escape])
    #expect(SignUpForm.Key.keys(in: Array("\u{1b}[A".utf8)).isEmpty)
    #expect(SignUpForm.Key.keys(in: [0, 1, 2]).isEmpty)
  }
}
