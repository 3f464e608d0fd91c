/// The functions that complete the command lines of a program in shells.
///
/// They contain no words: the hidden command `__complete` of the program returns the candidates. The shell itself
/// completes files, hosts, programs, and command lines behind `--`.
enum ShellFunctions {
  /// The script that bash sources.
  static func bash(_ name: String) -> String {
    """
    # Completion of \(name) for bash: the program itself says what can stand at the cursor.
    _\(name)() {
      local source offset head text cut
      {
        read -r source offset
        IFS= read -r head
        IFS= read -r text
        IFS= read -r cut
        mapfile -t COMPREPLY
      } < <(command \(name) __complete bash "$COMP_WORDBREAKS" "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
      if [[ $offset ]] && declare -F _comp_command_offset >/dev/null; then
        _comp_command_offset "$offset"
      elif [[ $offset ]] && declare -F _command_offset >/dev/null; then
        _command_offset "$offset"
      elif [[ $source == words ]]; then
        # A word that lacks its value is not followed by a space.
        [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=-] ]] && compopt -o nospace 2>/dev/null
      elif [[ $source ]]; then
        [[ $source == file ]] && compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -A "$source" -- "$text")
        COMPREPLY=("${COMPREPLY[@]/#/"$head"}")
        COMPREPLY=("${COMPREPLY[@]#"$cut"}")
      fi
    }
    complete -F _\(name) \(name)

    """
  }

  /// The file that zsh loads, to be installed as `_` and the name of the program.
  static func zsh(_ name: String) -> String {
    """
    #compdef \(name)
    # Completion of \(name) for zsh: the program itself says what can stand at the cursor.
    local -a answer values words_to_go_on
    local -i count
    answer=("${(@f)$(command \(name) __complete zsh "${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
    # Whatever the shell finds stands behind the head.
    [[ $answer[1] == words || -z $answer[2] ]] || compset -P "${(b)answer[2]}"
    case $answer[1] in
      words)
        values=("${(@)${(@M)answer[4,-1]:#+*}#+}")
        # Words that lack their values are not followed by a space.
        words_to_go_on=("${(@)${(@M)answer[4,-1]:#-*}#-}")
        _describe -t values 'value' values -- words_to_go_on -S ''
        ;;
      files) _files ;;
      hosts) _hosts ;;
      programs) _command_names -e ;;
      command*)
        count=${answer[1]#command }
        shift $count words
        (( CURRENT -= count ))
        _normal
        ;;
    esac

    """
  }

  /// The script that fish sources.
  static func fish(_ name: String) -> String {
    """
    # Completion of \(name) for fish: the program itself says what can stand at the cursor.
    function __\(name)_complete
        set -l words (commandline -opc)
        set -l current (commandline -ct)
        set -l answer (command \(name) __complete fish $words[2..-1] "$current" 2>/dev/null)
        switch "$answer[1]"
            case words
                set -q answer[4]; and printf '%s\\n' $answer[4..-1]
            case files
                printf '%s\\n' $answer[2](__fish_complete_path "$answer[3]")
            case hosts
                __fish_print_hostnames
            case programs
                printf '%s\\n' $answer[2](__fish_complete_command)
            case 'command *'
                set -l count (string replace 'command ' '' -- $answer[1])
                complete -C (string join ' ' -- (string escape -- $words[(math $count + 1)..-1]) "$current")
        end
    end
    complete -c \(name) -f -a '(__\(name)_complete)'

    """
  }
}
