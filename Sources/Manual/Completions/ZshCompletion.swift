internal import CommandLineOptions

/// Completion for zsh(1), as a function of its completion system.
enum ZshCompletion {
  /// The file that zsh loads, to be installed as `_` and the name of the program.
  static func text(for program: CompletedProgram) -> String {
    let name = program.name
    var parts = ["#compdef \(name)\n\n# Completion of \(name) for zsh, made of its tables: do not edit."]
    if program.uses(.interface) || program.uses(.requirement) { parts.append(interfaces(name)) }
    if program.uses(.requirement) { parts.append(requirement(name)) }
    if program.uses(.verb) { parts.append(verbs(of: program)) }
    if program.uses(.overrideField) { parts.append(overrides(name)) }
    parts.append(main(program))
    parts.append("_\(name) \"$@\"")
    return parts.joined(separator: "\n\n") + "\n"
  }

  private static func interfaces(_ name: String) -> String {
    """
    # Completes interfaces of the machine.
    _\(name)_interfaces() {
      local -a interfaces
      interfaces=(/sys/class/net/*(-/N:t))
      compadd "$@" -a interfaces
    }
    """
  }

  private static func requirement(_ name: String) -> String {
    let words = described(Completion.requirementWords, indent: "    ")
    let keys = described(
      Completion.requirementKeys + [(word: "not-", meaning: "the opposite of a word")], indent: "    ")
    let types = ShellText.words(Completion.requirementTypes)
    return """
      # Completes the last term of a requirement.
      _\(name)_requirement() {
        local -a words keys
        words=(
      \(words)  )
        keys=(
      \(keys)  )
        compset -P '*,'
        if compset -P 'interface='; then
          _\(name)_interfaces
        elif compset -P 'type='; then
          compadd \(types)
        elif compset -P 'via='; then
          _\(name)_interfaces
          compadd \(types)
        elif compset -P '(not-|!)'; then
          _describe -t words 'requirement' words
        else
          _describe -t words 'requirement' words -- keys -S ''
        fi
      }
      """
  }

  private static func verbs(of program: CompletedProgram) -> String {
    let verbs = described(program.verbs.map { (word: $0.name, meaning: $0.summary) }, indent: "    ")
    return """
      # Completes verbs.
      _\(program.name)_verbs() {
        local -a verbs
        verbs=(
      \(verbs)  )
        _describe -t verbs 'verb' verbs
      }
      """
  }

  private static func overrides(_ name: String) -> String {
    let fields = ShellText.words(Completion.overrideFields.map(\.name))
    let cases = ShellText.grouped(Completion.overrideFields, by: \.values).map { values, fields in
      "    \(ShellText.alternatives(fields.map { "set:\($0.name)" }))) compadd \(ShellText.words(values)) ;;\n"
    }
    return """
      # Completes the fields that can be overridden.
      _\(name)_override_fields() {
        [[ $line[1] == list ]] || compadd \(fields)
      }

      # Completes what the field can be set to.
      _\(name)_override_values() {
        case $line[1]:$line[2] in
      \(cases.joined())  esac
      }
      """
  }

  /// Lines of an array for `_describe`.
  private static func described(_ words: [(word: String, meaning: String)], indent: String) -> String {
    words.map { word in
      let text = word.word.replacing(":", with: "\\:") + ":" + word.meaning
      return "\(indent)\(ShellText.quoted(text))\n"
    }.joined()
  }

  private static func main(_ program: CompletedProgram) -> String {
    let name = program.name
    // Verbs with the same options and operands are completed in the same way.
    let cases = ShellText.grouped(program.verbs, by: { $0.unnamed }).map { verb, verbs in
      let command =
        verb.takesCommand
        ? """
              local -i dashes=${words[(i)--]}
              if (( dashes < CURRENT )); then
                shift $dashes words
                (( CURRENT -= dashes ))
                _normal
                return
              fi

        """ : ""
      let names = ShellText.alternatives(verbs.map(\.name))
      return "    \(names))\n\(command)\(arguments(of: verb, program, indent: "      "))\n      ;;\n"
    }
    let common = """
      _\(name)() {
        local curcontext=$curcontext state state_descr
        local -a line
        local -A opt_args

      """
    let first = program.forms.first
    guard let first, !program.verbs.isEmpty else {
      return common + (first.map { arguments(of: $0, program, indent: "  ") } ?? "") + "\n}"
    }
    return common + """
        _arguments -C \(specifications(of: first.options, program).map { "\\\n    \($0) " }.joined())\\
          '1: :_\(name)_verbs' \\
          '*:: :->rest' && return
        [[ $state == rest ]] || return 1
        case $words[1] in
      \(cases.joined())  esac
      }
      """
  }

  private static func arguments(
    of form: CompletedProgram.Form, _ program: CompletedProgram, indent: String
  ) -> String {
    let operands = form.operands.enumerated().map { index, operand in
      ShellText.quoted("\(index + 1): :\(action(operand, program.name))")
    }
    return "\(indent)_arguments "
      + (specifications(of: form.options, program) + operands).joined(separator: " \\\n\(indent)  ")
  }

  private static func specifications(of options: [DocumentedOption], _ program: CompletedProgram) -> [String] {
    options.map { option in
      let meaning = "[" + escaped(option.summary) + "]"
      let value = option.value.map { value in
        ":\(value.name):\(action(value.completion, program.name))"
      }
      // A value may stand behind an equals sign, too, and an option that takes one may come again.
      let name = option.name + (value == nil ? "" : "=")
      guard let short = option.short else {
        return ShellText.quoted("\(value == nil ? "" : "*")\(name)\(meaning)\(value ?? "")")
      }
      let others = ShellText.quoted("(\(short) \(option.name))")
      return "\(others){\(short),\(name)}\(ShellText.quoted(meaning + (value ?? "")))"
    }
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      if "[]:\\".contains(character) { result += "\\" }
      result.append(character)
    }
    return result
  }

  private static func action(_ completion: Completion, _ name: String) -> String {
    switch completion {
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .requirement: "_\(name)_requirement"
    case .interface: "_\(name)_interfaces"
    case .file: "_files"
    case .host: "_hosts"
    case .program: "_command_names -e"
    case .verb: "_\(name)_verbs"
    case .overrideField: "_\(name)_override_fields"
    case .overrideValue: "_\(name)_override_values"
    case .nothing: " "
    }
  }
}
