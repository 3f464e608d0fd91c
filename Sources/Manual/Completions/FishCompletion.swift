internal import CommandLineOptions

/// Completion for fish(1).
enum FishCompletion {
  /// The script that fish sources.
  static func text(for program: CompletedProgram) -> String {
    let name = program.name
    var parts = ["# Completion of \(name) for fish, made of its tables: do not edit.", operands(of: program)]
    if program.uses(.interface) || program.uses(.requirement) { parts.append(interfaces(name)) }
    if program.uses(.requirement) { parts.append(requirement(name)) }
    if program.forms.contains(where: \.takesCommand) { parts.append(command(name)) }
    parts.append("complete -c \(name) -f")
    parts.append(operandRules(of: program))
    parts.append(optionRules(of: program))
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private static func operands(of program: CompletedProgram) -> String {
    let name = program.name
    let values = ShellText.words(program.valueOptions.flatMap(\.names))
    return """
      # Prints the words before the cursor that are neither options nor their values, up to '--'.
      function __\(name)_operands
          set -l is_value 0
          for word in (commandline -opc)[2..-1]
              if test $is_value = 1
                  set is_value 0
              else if test "$word" = --
                  return
              else if contains -- "$word" \(values)
                  set is_value 1
              else if not string match -q -- '-?*' "$word"
                  echo -- $word
              end
          end
      end

      # Whether the verb is one of these; nothing stands for none.
      function __\(name)_verb_is
          set -l operands (__\(name)_operands)
          if test (count $operands) = 0
              test (count $argv) = 0
          else
              contains -- $operands[1] $argv
          end
      end

      # __\(name)_at COUNT [VERB]: whether so many operands stand behind the verb, or on a line without one.
      function __\(name)_at
          set -l operands (__\(name)_operands)
          set -l verb $argv[2..-1]
          test (count $operands) = (math $argv[1] + (count $verb)); or return
          test -z "$verb"; or test "$operands[1]" = "$verb"
      end

      # Whether a command stands at the cursor.
      function __\(name)_is_behind_dashes
          contains -- -- (commandline -opc)
      end
      """
  }

  private static func interfaces(_ name: String) -> String {
    """
    # Prints the interfaces of the machine.
    function __\(name)_interfaces
        for path in /sys/class/net/*/
            string split -r -m1 -f2 / -- (string trim -r -c / -- $path)
        end
    end
    """
  }

  private static func requirement(_ name: String) -> String {
    func lines(_ words: [(word: String, meaning: String)]) -> String {
      words.map { "printf '%s\\t%s\\n' \"$head\"\($0.word) \(ShellText.quoted($0.meaning))" }
        .joined(separator: "\n    ")
    }
    let types = Completion.requirementTypes.joined(separator: ",")
    return """
      # Prints the words of requirements that take no value, each behind what is given.
      function __\(name)_requirement_words
          set -l head $argv[1]
          \(lines(Completion.requirementWords))
      end

      # The same for the keys.
      function __\(name)_requirement_keys
          set -l head $argv[1]
          printf '%s\\t%s\\n' "$head"not- 'the opposite of a word'
          \(lines(Completion.requirementKeys))
      end

      # Prints what the last term of the requirement at the cursor could be, each behind the terms before it.
      function __\(name)_requirement
          set -l text (commandline -ct)
          set -l head (string match -r -- '.*,' "$text"; or echo)
          switch (string replace -r -- '.*,' '' "$text")
              case 'interface=*'
                  printf '%s\\n' "$head"interface=(__\(name)_interfaces)
              case 'type=*'
                  printf '%s\\n' "$head"type={\(types)}
              case 'via=*'
                  printf '%s\\n' "$head"via=(__\(name)_interfaces) "$head"via={\(types)}
              case 'not-*'
                  __\(name)_requirement_words "$head"not-
              case '!*'
                  __\(name)_requirement_words "$head"!
              case '*'
                  __\(name)_requirement_words "$head"
                  __\(name)_requirement_keys "$head"
          end
      end
      """
  }

  private static func command(_ name: String) -> String {
    """
    # Prints what could stand at the cursor of the command behind '--'.
    function __\(name)_command
        set -l words (commandline -opc)
        set -l index (contains -i -- -- $words)
        set -l before $words[(math $index + 1)..-1]
        complete -C (string join ' ' -- (string escape -- $before) (commandline -ct))
    end
    """
  }

  /// What is given to `-a`; empty where nothing is offered.
  private static func offer(_ completion: Completion, _ name: String) -> String {
    switch completion {
    case .words(let words): ShellText.words(words)
    case .requirement: "(__\(name)_requirement)"
    case .interface: "(__\(name)_interfaces)"
    case .host: "(__fish_print_hostnames)"
    case .program: "(__fish_complete_command)"
    case .file, .verb, .overrideField, .overrideValue, .nothing: ""
    }
  }

  private static func operandRules(of program: CompletedProgram) -> String {
    let name = program.name
    func rule(_ condition: String, _ words: String?, _ meaning: String? = nil) -> String {
      let description = meaning.map { " -d \(ShellText.quoted($0))" } ?? ""
      let condition = ShellText.quoted("not __\(name)_is_behind_dashes; and \(condition)")
      let offer = words.map { "-a \(ShellText.quoted($0))" } ?? "-F"
      return "complete -c \(name) -n \(condition) \(offer)\(description)"
    }
    var rules: [String] = []
    for form in program.forms {
      for (index, operand) in form.operands.enumerated() {
        let place = (["__\(name)_at \(index)"] + (form.name.isEmpty ? [] : [form.name])).joined(separator: " ")
        switch operand {
        case .verb:
          rules += program.verbs.map { rule(place, $0.name, $0.summary) }
        case .file: rules.append(rule(place, nil))
        case .overrideField:
          let words = ShellText.words(Completion.overrideFields.map(\.name))
          rules.append(rule("\(place); and not contains list (__\(name)_operands)", words))
        case .overrideValue:
          for field in Completion.overrideFields {
            let said = "override set \(field.name)"
            let condition = "__\(name)_operands | string join \" \" | string match -q \"\(said)\""
            rules.append(rule(condition, ShellText.words(field.values)))
          }
        default:
          let words = offer(operand, name)
          if !words.isEmpty { rules.append(rule(place, words)) }
        }
      }
      if form.takesCommand {
        rules.append(
          "complete -c \(name) -n '__\(name)_is_behind_dashes; and __\(name)_verb_is \(form.name)' "
            + "-a '(__\(name)_command)'")
      }
    }
    return rules.joined(separator: "\n")
  }

  private static func optionRules(of program: CompletedProgram) -> String {
    program.options.map { option in
      let takers = program.forms.filter { form in form.options.contains { $0.name == option.name } }
      let names = takers.map(\.name).filter { !$0.isEmpty }
      var conditions = names.isEmpty ? [] : ["__\(program.name)_verb_is \(names.joined(separator: " "))"]
      if takers.contains(where: \.name.isEmpty) { conditions.append("__\(program.name)_verb_is") }
      var rule = "complete -c \(program.name) -n '\(conditions.joined(separator: "; or "))'"
      if let short = option.short { rule += " -s \(short.dropFirst())" }
      rule += " -l \(option.name.drop { $0 == "-" })"
      if let value = option.value { rule += argument(value.completion, program.name) }
      return rule + " -d \(ShellText.quoted(option.summary))"
    }.joined(separator: "\n")
  }

  private static func argument(_ completion: Completion, _ name: String) -> String {
    if completion == .file { return " -r -F" }
    let words = offer(completion, name)
    return words.isEmpty ? " -x" : " -x -a \(ShellText.quoted(words))"
  }
}
