internal import CommandLineOptions

/// Completion for bash(1).
///
/// The script needs nothing but bash; where the package bash-completion is, it completes commands behind `--` as that
/// does for their own programs.
enum BashCompletion {
  /// The script that bash sources.
  static func text(for program: CompletedProgram) -> String {
    let name = program.name
    let parts = [
      "# Completion of \(name) for bash, made of its tables: do not edit.",
      offering(name), program.uses(.interface) || program.uses(.requirement) ? interfaces(name) : "",
      program.uses(.requirement) ? requirement(name) : "", values(of: program), operands(of: program),
      program.forms.contains(where: \.takesCommand) ? command(name) : "", words(name), main(program),
      "complete -F _\(name) \(name)",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private static func offering(_ name: String) -> String {
    """
    # __\(name)_offer HEAD PREFIX WORD...: offers the words that begin with the prefix, each behind the head.
    __\(name)_offer() {
      local head=$1 prefix=$2 word
      shift 2
      for word; do
        [[ $word == "$prefix"* ]] && COMPREPLY+=("$head$word")
      done
    }

    # __\(name)_generate HEAD PREFIX ACTION: the same, for the words of an action of compgen.
    __\(name)_generate() {
      local words
      mapfile -t words < <(compgen -A "$3" -- "$2")
      __\(name)_offer "$1" "$2" "${words[@]}"
    }
    """
  }

  private static func interfaces(_ name: String) -> String {
    """
    # Prints the interfaces of the machine, but those whose names would have to be quoted.
    __\(name)_interfaces() {
      local path
      for path in /sys/class/net/*/; do
        path=${path%/} path=${path##*/}
        [[ $path =~ ^[A-Za-z0-9_.:@-]+$ ]] && printf '%s\\n' "$path"
      done
    }
    """
  }

  private static func requirement(_ name: String) -> String {
    let words = ShellText.words(Completion.requirementWords.map(\.word))
    return """
      # __\(name)_requirement HEAD TEXT: offers what the last term of the requirement could be.
      __\(name)_requirement() {
        local head=$1 term=${2##*,}
        [[ $2 == *,* ]] && head+=${2%,*},
        case $term in
          interface=*) __\(name)_offer "${head}interface=" "${term#*=}" $(__\(name)_interfaces) ;;
          type=*) __\(name)_offer "${head}type=" "${term#*=}" \(ShellText.words(Completion.requirementTypes)) ;;
          via=*)
            __\(name)_offer "${head}via=" "${term#*=}" $(__\(name)_interfaces)
            __\(name)_offer "${head}via=" "${term#*=}" \(ShellText.words(Completion.requirementTypes))
            ;;
          not-*) __\(name)_offer "${head}not-" "${term#not-}" \(words) ;;
          !*) __\(name)_offer "$head!" "${term#!}" \(words) ;;
          *)
            __\(name)_offer "$head" "$term" \(words)
            __\(name)_offer "$head" "$term" not- \(ShellText.words(Completion.requirementKeys.map(\.word)))
            ;;
        esac
      }
      """
  }

  /// The line that offers what is to be completed; empty where nothing is offered.
  private static func offer(_ completion: Completion, _ program: CompletedProgram) -> String {
    let name = program.name
    switch completion {
    case .words(let words): return "__\(name)_offer \"$head\" \"$prefix\" \(ShellText.words(words))"
    case .requirement: return "__\(name)_requirement \"$head\" \"$prefix\""
    case .interface: return "__\(name)_offer \"$head\" \"$prefix\" $(__\(name)_interfaces)"
    case .file: return "compopt -o filenames 2>/dev/null; __\(name)_generate \"$head\" \"$prefix\" file"
    case .host: return "__\(name)_generate \"$head\" \"$prefix\" hostname"
    case .program: return "__\(name)_generate \"$head\" \"$prefix\" command"
    case .verb: return "__\(name)_offer \"$head\" \"$prefix\" \(ShellText.words(program.verbs.map(\.name)))"
    case .overrideField:
      let fields = ShellText.words(Completion.overrideFields.map(\.name))
      return "[[ ${operands[0]} == list ]] || __\(name)_offer \"$head\" \"$prefix\" \(fields)"
    case .overrideValue:
      let cases = ShellText.grouped(Completion.overrideFields, by: \.values).map { values, fields in
        let pattern = ShellText.alternatives(fields.map { "set:\($0.name)" })
        return "        \(pattern)) __\(name)_offer \"$head\" \"$prefix\" \(ShellText.words(values)) ;;\n"
      }
      return "\n      case ${operands[0]}:${operands[1]} in\n\(cases.joined())      esac\n     "
    case .nothing: return ""
    }
  }

  private static func values(of program: CompletedProgram) -> String {
    let cases = ShellText.grouped(program.valueOptions, by: \.value).map { value, options in
      "    \(ShellText.alternatives(options.flatMap(\.names)))) \(offer(value, program)) ;;\n"
    }
    return """
      # __\(program.name)_value OPTION HEAD PREFIX: offers values of the option. Fails when it takes none.
      __\(program.name)_value() {
        local head=$2 prefix=$3
        case $1 in
      \(cases.joined())    *) return 1 ;;
        esac
        return 0
      }
      """
  }

  private static func operands(of program: CompletedProgram) -> String {
    let places = program.forms.flatMap { form in
      form.operands.enumerated().map { (place: "\(form.name):\($0)", operand: $1) }
    }
    let cases = ShellText.grouped(places, by: \.operand).map { operand, places in
      "    \(ShellText.alternatives(places.map(\.place)))) \(offer(operand, program)) ;;\n"
    }
    let options = ShellText.grouped(program.forms, by: \.options).map { options, forms in
      "    \(ShellText.alternatives(forms.map(\.name)))) __\(program.name)_offer '' \"$prefix\" "
        + "\(ShellText.words(options.map(\.name))) ;;\n"
    }
    return """
      # Offers what stands behind the operands that are there.
      __\(program.name)_operand() {
        local head= prefix=$1
        case $verb:${#operands[@]} in
      \(cases.joined())    *) ;;
        esac
      }

      # Offers the options of the verb.
      __\(program.name)_options() {
        local prefix=$1
        case $verb in
      \(options.joined())  esac
      }
      """
  }

  private static func command(_ name: String) -> String {
    """
    # __\(name)_command INDEX: completes the command that begins there.
    __\(name)_command() {
      if declare -F _comp_command_offset >/dev/null; then
        _comp_command_offset "$1"
      elif declare -F _command_offset >/dev/null; then
        _command_offset "$1"
      elif ((COMP_CWORD == $1)); then
        __\(name)_generate '' "${COMP_WORDS[COMP_CWORD]}" command
      else
        compopt -o filenames 2>/dev/null
        __\(name)_generate '' "${COMP_WORDS[COMP_CWORD]}" file
      fi
    }
    """
  }

  private static func words(_ name: String) -> String {
    """
    # Puts the words up to the cursor into 'words'. Bash cuts them at equals signs and colons; they belong together.
    __\(name)_words() {
      local index piece is_cut=
      words=()
      for ((index = 0; index <= COMP_CWORD; index++)); do
        piece=${COMP_WORDS[index]}
        if ((index > 1)) && [[ $is_cut || $piece =~ ^[=:]+$ ]]; then
          words[${#words[@]} - 1]+=$piece
        else
          words+=("$piece")
        fi
        [[ $piece =~ ^[=:]+$ ]] && is_cut=1 || is_cut=
      done
    }
    """
  }

  private static func main(_ program: CompletedProgram) -> String {
    let name = program.name
    let takers = program.forms.filter(\.takesCommand).map(\.name)
    let command = """

              case $verb in
                \(ShellText.alternatives(takers)))
                  for ((index = 1; index < COMP_CWORD; index++)); do
                    [[ ${COMP_WORDS[index]} == -- ]] && break
                  done
                  __\(name)_command $((index + 1))
                  return
                  ;;
              esac
      """
    let operand =
      program.verbs.isEmpty
      ? "operands+=(\"$word\")" : "if [[ $verb ]]; then operands+=(\"$word\"); else verb=$word; fi"
    return """
      _\(name)() {
        local words current word verb= option= dashes= index operands=() breaks head=
        COMPREPLY=()
        __\(name)_words
        current=${words[${#words[@]} - 1]}
        for word in "${words[@]:1:${#words[@]}-2}"; do
          if [[ $option ]]; then
            option=
          elif [[ ! $dashes && $word == -- ]]; then
            dashes=1\(takers.isEmpty ? "" : command)
          elif [[ ! $dashes && $word == -*=* ]]; then
            continue
          elif [[ ! $dashes && $word == -?* ]]; then
            # The value stands in the next word.
            __\(name)_takes_value "$word" && option=$word
          else
            \(operand)
          fi
        done

        if [[ $option ]]; then
          __\(name)_value "$option" '' "$current"
        elif [[ ! $dashes && $current == -*=* ]]; then
          __\(name)_value "${current%%=*}" "${current%%=*}=" "${current#*=}"
        elif [[ ! $dashes && $current == -* ]]; then
          __\(name)_options "$current"
        else
          __\(name)_operand "$current"
          # Where nothing else can stand, the options are shown.
          [[ $dashes || $current || ${#COMPREPLY[@]} -gt 0 ]] || __\(name)_options ''
        fi

        # What is not complete yet is not followed by a space.
        [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=-] ]] && compopt -o nospace 2>/dev/null
        # Bash puts in only what stands behind the last cut.
        breaks=${COMP_WORDBREAKS//[^=:]/}
        [[ $breaks && $current == *[$breaks]* ]] && head=${current%"${current##*[$breaks]}"}
        COMPREPLY=("${COMPREPLY[@]#"$head"}")
      }

      # Whether the option takes a value.
      __\(name)_takes_value() {
        [[ $1 == @(\(ShellText.alternatives(program.valueOptions.flatMap(\.names), separator: "|"))) ]]
      }
      """
  }
}
