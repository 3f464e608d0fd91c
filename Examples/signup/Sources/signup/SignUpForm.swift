/// The form as a value: an event goes in, an action comes out. `SignUpForm+Page.swift` draws it.
struct SignUpForm: Equatable {
  /// A name to be checked. A name whose check failed for the network is checked again in another round.
  struct Check: Hashable {
    var name: String
    var round: Int
  }

  /// An error as the form shows it. `FormPresenter` makes it, and waits for the choice.
  struct Problem: Equatable {
    struct Option: Equatable {
      var id: String
      var title: String
    }

    /// Distinguishes the presentations, so that a late choice does not answer the wrong one.
    var number: Int
    var sentences: [String]
    /// The ways on; the last one gives up.
    var options: [Option]
  }

  enum Event {
    case key(Key)
    /// The text beside the field for a name; `nil` for none.
    case note(String?, for: String)
    /// Whether the service allows a name; `nil` if it has not said.
    case verdict(Bool?, for: String)
    case problem(Problem)
    /// The presentation of this number is over.
    case problemIsOver(Int)
    /// The network is there, or back.
    case online
    case progress(Progress, attempt: Int)
  }

  /// The course of an attempt to sign up.
  enum Progress: Equatable {
    /// A request has failed, for a reason in words.
    case failed(String)
    /// The next request follows after so many seconds.
    case pausing(seconds: Int64)
    case waitingForNetwork
    /// The service refuses the name, for a reason that its user can change.
    case refused(String)
    case signedUp
    /// The attempt is over, without success.
    case isOver
  }

  enum Key: Equatable {
    case character(Character)
    case erase, eraseAll, enter, escape
  }

  enum Action: Equatable {
    case none
    case check(Check)
    case signUp(name: String, attempt: Int)
    /// Answer a problem.
    case choose(String, problem: Int)
    /// Cancel the attempt that is under way.
    case abandon
    case quit
  }

  /// The fewest characters of a name, which the form itself knows.
  static let shortestName = 4
  static let longestName = 30

  private(set) var name = ""
  private(set) var note: String?
  private(set) var verdict: Bool?
  /// The text below the form: the result of the attempt, or its progress.
  private(set) var message: String?
  private(set) var problem: Problem?
  private(set) var isBusy = false
  private(set) var isSignedUp = false
  private var failure: String?
  private var attempt = 0
  private var round = 0

  /// Whether the form can be submitted. A check that failed for the network does not forbid it: the service decides.
  var canSubmit: Bool {
    !isBusy && !isSignedUp && name.count >= Self.shortestName && verdict != false
  }

  /// Updates the form for an event, and returns the next action.
  mutating func receive(_ event: Event) -> Action {
    switch event {
    case .key(let key): return press(key)
    case .note(let text, let name): if name == self.name { note = text }
    case .verdict(let isAllowed, let name): if name == self.name { verdict = isAllowed }
    case .problem(let problem): self.problem = problem
    case .problemIsOver(let number): if number == problem?.number { problem = nil }
    case .online:
      // A name that could not be checked without a network is checked now.
      guard !isSignedUp, verdict == nil, name.count >= Self.shortestName else { return .none }
      round += 1
      return .check(Check(name: name, round: round))
    case .progress(let progress, let attempt):
      // An attempt that was given up has no say any more.
      if attempt == self.attempt, isBusy { follow(progress) }
    }
    return .none
  }

  private mutating func follow(_ progress: Progress) {
    switch progress {
    case .failed(let reason): failure = reason
    case .pausing(let seconds):
      message = "\(failure ?? "This did not work.") Trying again in \(seconds) s. Esc gives up."
    case .waitingForNetwork: message = "Waiting for the network …"
    case .refused(let reason): (note, verdict, message, isBusy) = (reason, false, nil, false)
    case .signedUp: (isSignedUp, message, isBusy) = (true, "Welcome, \(name)!", false)
    case .isOver: (message, isBusy) = (nil, false)
    }
  }

  private mutating func press(_ key: Key) -> Action {
    if let problem { return answer(problem, key) }
    if isSignedUp { return key == .enter || key == .escape ? .quit : .none }
    if isBusy {
      guard key == .escape else { return .none }
      (isBusy, message) = (false, "Given up.")
      return .abandon
    }
    switch key {
    case .character(let character): return name.count < Self.longestName ? edit(name + String(character)) : .none
    case .erase: return name.isEmpty ? .none : edit(String(name.dropLast()))
    case .eraseAll: return name.isEmpty ? .none : edit("")
    case .escape: return .quit
    case .enter:
      guard canSubmit else { return .none }
      attempt += 1
      (isBusy, failure, message) = (true, nil, "Signing up …")
      return .signUp(name: name, attempt: attempt)
    }
  }

  private mutating func answer(_ problem: Problem, _ key: Key) -> Action {
    let option: Problem.Option? =
      switch key {
      case .enter: problem.options.first
      case .escape: problem.options.last
      case .character(let digit):
        digit.wholeNumberValue.flatMap { problem.options.indices.contains($0 - 1) ? problem.options[$0 - 1] : nil }
      case .erase, .eraseAll: nil
      }
    guard let option else { return .none }
    self.problem = nil
    if isBusy { (failure, message) = (nil, "Signing up …") }
    return .choose(option.id, problem: problem.number)
  }

  private mutating func edit(_ name: String) -> Action {
    self.name = name
    (note, verdict, message) = (nil, nil, nil)
    // The rule that the form knows needs no request.
    if !name.isEmpty, name.count < Self.shortestName { note = "at least \(Self.shortestName) characters" }
    return .check(Check(name: name, round: round))
  }
}
