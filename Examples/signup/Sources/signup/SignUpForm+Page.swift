/// The size of a screen in characters.
struct ScreenSize: Equatable {
  var rows: Int
  var columns: Int
}

/// A line of the page.
struct Line: Equatable {
  enum Style {
    case plain, heading, faint
  }

  var text = ""
  var style = Style.plain
}

extension SignUpForm {
  /// The lines of the screen, none wider than it.
  func page(_ size: ScreenSize) -> [Line] {
    let lines = [
      Line(text: " Sign up", style: .heading), Line(), Line(text: " User name: \(name)_   \(note ?? "")"), Line(),
    ]
    return (lines + (problem.map { body(of: $0, size) } ?? body(size))).prefix(size.rows).map {
      Line(text: String($0.text.safeForTerminal.prefix(size.columns)), style: $0.style)
    }
  }

  private func body(_ size: ScreenSize) -> [Line] {
    let keys =
      isSignedUp ? "Enter leave" : isBusy ? "Esc give up" : canSubmit ? "Enter sign up  Esc leave" : "Esc leave"
    return [
      Line(text: canSubmit ? " [ Sign up ]" : "   Sign up", style: canSubmit ? .heading : .faint), Line(),
    ] + wrapped(message ?? "", size) + [Line(), Line(text: " \(keys)", style: .faint)]
  }

  private func body(of problem: Problem, _ size: ScreenSize) -> [Line] {
    let options = problem.options.enumerated().map { Line(text: "   \($0 + 1)  \($1.title)") }
    let last = problem.options.count
    let keys = last == 1 ? " Enter \(problem.options[0].title)" : " 1 to \(last) choose  Enter 1  Esc \(last)"
    return problem.sentences.flatMap { wrapped($0, size) } + [Line()] + options + [
      Line(), Line(text: keys, style: .faint),
    ]
  }

  private func wrapped(_ text: String, _ size: ScreenSize) -> [Line] {
    var lines = [""]
    for word in text.split(separator: " ") {
      if lines[lines.count - 1].count + word.count + 1 >= size.columns { lines.append("") }
      lines[lines.count - 1] += " " + word
    }
    return lines.map { Line(text: $0) }
  }
}

extension String {
  /// The text without control characters and marks that reverse the direction of writing: a text of a server must not
  /// move the cursor.
  var safeForTerminal: String {
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars where !scalar.properties.isBidiControl {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: text.append("\u{fffd}")
      default: text.append(scalar)
      }
    }
    return String(text)
  }
}
