# Completion of @PROGRAM@ for bash: the program itself says what can stand at the cursor.
_@PROGRAM@() {
  local source offset head text cut
  {
    read -r source offset
    IFS= read -r head
    IFS= read -r text
    IFS= read -r cut
    mapfile -t COMPREPLY
  } < <(command @PROGRAM@ __complete bash "$COMP_WORDBREAKS" "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
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
complete -F _@PROGRAM@ @PROGRAM@
