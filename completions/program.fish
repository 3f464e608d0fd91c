# Completion of @PROGRAM@ for fish: the program itself says what can stand at the cursor.
function __@PROGRAM@_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l answer (command @PROGRAM@ __complete fish $words[2..-1] "$current" 2>/dev/null)
    switch "$answer[1]"
        case words
            set -q answer[4]; and printf '%s\n' $answer[4..-1]
        case files
            printf '%s\n' $answer[2](__fish_complete_path "$answer[3]")
        case hosts
            __fish_print_hostnames
        case programs
            printf '%s\n' $answer[2](__fish_complete_command)
        case 'command *'
            set -l count (string replace 'command ' '' -- $answer[1])
            complete -C (string join ' ' -- (string escape -- $words[(math $count + 1)..-1]) "$current")
    end
end
complete -c @PROGRAM@ -f -a '(__@PROGRAM@_complete)'
