#compdef @PROGRAM@
# Completion of @PROGRAM@ for zsh: the program itself says what can stand at the cursor.
local -a answer values words_to_go_on
local -i count
answer=("${(@f)$(command @PROGRAM@ __complete zsh "${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
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
