import type { CompletionModel, SwitchSpec, ValueSource } from './completion-model.ts';

const fishEngine = `\
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

const quoteFish = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

const quoteAll = (texts: readonly string[]): string => texts.map(quoteFish).join(' ');

const printPairs = (pairs: readonly (readonly [string, string])[]): string =>
  `printf '%s\\t%s\\n' ${quoteAll(pairs.flat())}`;

const printSwitches = (switches: readonly SwitchSpec[]): string =>
  printPairs(switches.map(({ spec, description }) => [spec, description]));

const printSource = (source: ValueSource): string =>
  source.kind === 'choices'
    ? `printf '%s\\n' choices ${quoteAll(source.choices)}`
    : `echo ${source.kind}`;

const caseOf = (text: string, body: string): string =>
  `        case ${quoteFish(text)}\n            ${body}`;

const renderTables = (model: CompletionModel): string => {
  const { levels, commands, globals, values, globalValues } = model;
  return [
    'function __busbar_children',
    '    switch $argv[1]',
    ...levels.map(({ route, children }) =>
      caseOf(route, printPairs(children.map(({ text, description }) => [text, description]))),
    ),
    '    end',
    'end',
    '',
    'function __busbar_is_command',
    `    contains -- $argv[1] ${quoteAll(commands.map(({ route }) => route))}`,
    'end',
    '',
    '# [*]--name[=], starred if repeatable, and its description after a tab.',
    'function __busbar_switches',
    '    switch $argv[1]',
    ...commands
      .filter(({ switches }) => switches.length > 0)
      .map(({ route, switches }) => caseOf(route, printSwitches(switches))),
    '    end',
    `    ${printSwitches(globals)}`,
    'end',
    '',
    '# By command and option, or by command and number of the positional: the kind, then choices.',
    'function __busbar_value',
    '    switch $argv[1]',
    ...values.map(({ place, source }) => caseOf(place, printSource(source))),
    ...globalValues.map(({ place, source }) => caseOf(`* ${place}`, printSource(source))),
    '    end',
    'end',
  ].join('\n');
};

export const renderFish = (model: CompletionModel): string =>
  `# Completion of busbar in fish. Load it with: busbar completion fish | source

${renderTables(model)}

${fishEngine}
complete -c busbar -e
complete -c busbar -n __busbar_prepare -f -a '$__busbar_results'
complete -c busbar -n 'not __busbar_prepare' -F -a '$__busbar_results'
`;
