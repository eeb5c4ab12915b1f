export const fishEngine = `\
# Adds what a place asks for to __busbar_results; fails where that is a file, which fish knows best.
function __busbar_offer_value -a place lead typed
    set -l value (__busbar_value $place)
    switch "$value[1]"
        case choices
            set -a __busbar_results $lead$value[2..]
        case files
            return 1
        case directories
            set -a __busbar_results $lead(__fish_complete_directories $typed)
        case commands
            set -a __busbar_results (__busbar_children "$argv[4..]")
    end
    return 0
end

function __busbar_offer_switches -a route
    set -l given $argv[2..]
    for line in (__busbar_switches $route)
        set -l spec (string split -f1 \\t -- $line)
        set -l name (string trim -c '*=' -- $spec)
        if not string match -q '\\\\**' -- $spec; and contains -- $name $given
            continue
        end
        set -a given $name
        set -a __busbar_results (string trim -l -c '*' -- $line)
    end
end

# Collects the completions at the cursor; fails where a file is allowed too.
function __busbar_prepare
    set -g __busbar_results
    set -l tokens (commandline -opc)
    set -l current (commandline -ct)
    set -l route
    set -l settled no
    set -l ended no
    set -l pending
    set -l given
    set -l positionals
    for token in $tokens[2..]
        if set -q pending[1]
            set pending
            continue
        end
        if test $settled = no
            if contains -- $token (__busbar_children "$route" | string split -f1 \\t)
                set -a route $token
                continue
            end
            if __busbar_is_command "$route"
                set settled yes
            else if not string match -q -- '-*' $token
                return 0
            end
        end
        if test $ended = no; and test "$token" = --
            set ended yes
        else if test $ended = no; and string match -q -- '-?*' $token
            set -a given (string split -f1 -m1 = -- $token)
            if contains -- "$token=" (__busbar_switches "$route" | string split -f1 \\t | string trim -l -c '*')
                set pending $token
            end
        else
            set -a positionals $token
        end
    end

    if set -q pending[1]
        __busbar_offer_value "$route $pending" '' "$current"
        return
    end
    if test $ended = no; and string match -q -- '--*=*' $current
        set -l parts (string split -m1 = -- $current)
        __busbar_offer_value "$route $parts[1]" $parts[1]= "$parts[2]"
        return
    end
    if test $ended = no; and string match -q -- '-*' $current
        __busbar_offer_switches "$route" $given
        return 0
    end
    set -l children
    test $settled = no; and set children (__busbar_children "$route")
    set -a __busbar_results $children
    set -l place "$route "(count $positionals)
    if not __busbar_offer_value $place '' "$current" $positionals
        return 1
    end
    set -l positional (__busbar_value $place)
    if test -z "$current"; and test $ended = no; and test -z "$children$positional"
        __busbar_offer_switches "$route" $given
    end
    return 0
end
`;
