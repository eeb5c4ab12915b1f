import type { CompletionModel } from './completion-model.ts';
import { quoteAllPosix, renderPosixTables, type TableDialect } from './posix-tables.ts';

const zshEngine = `\
_busbar_offer_children() {
  local -a described
  local -i index
  for ((index = 1; index <= $#children; index++)); do
    # A bare colon would end the word and begin its description.
    described+=("\${\${children[index]//\\\\/\\\\\\\\}//:/\\\\:}:$about[index]")
  done
  _describe -t commands command described
}

_busbar_offer_switches() {
  local -a flags valued
  local spec name
  _busbar_switches "$route"
  for spec in "$switches[@]"; do
    name=\${\${spec#\\*}%%[=:]*}
    if [[ $spec != \\** ]] && (( $given[(Ie)$name] )); then continue; fi
    given+=("$name")
    if [[ $spec == (\\*|)$name=:* ]]; then
      valued+=("$name:\${spec#*:}")
    else
      flags+=("$name:\${spec#*:}")
    fi
  done
  _describe -O option flags -- valued -q -S =
}

_busbar_offer_value() {
  local expl
  _busbar_value "$1"
  case $kind in
    choices) _wanted values expl value compadd -a choices ;;
    files) _files ;;
    directories) _files -/ ;;
    commands)
      _busbar_children "\${(j: :)positionals}"
      _busbar_offer_children
      ;;
  esac
}

_busbar() {
  local route='' settled='' ended='' pending='' lead='' kind='' token
  local -a given positionals children about switches names choices
  local -i before=$compstate[nmatches]
  for token in "\${(@Q)words[2,CURRENT-1]}"; do
    if [[ -n $pending ]]; then
      pending=''
      continue
    fi
    if [[ -z $settled ]]; then
      _busbar_children "$route"
      if (( $children[(Ie)$token] )); then
        route=\${route:+$route }$token
        continue
      fi
      if _busbar_is_command "$route"; then
        settled=1
      elif [[ $token != -* ]]; then
        return 1
      fi
    fi
    if [[ -z $ended && $token == -- ]]; then
      ended=1
    elif [[ -z $ended && $token == -?* ]]; then
      given+=("\${token%%=*}")
      _busbar_switches "$route"
      names=("\${(@)\${(@)switches#\\*}%%:*}")
      (( $names[(Ie)$token=] )) && pending=$token
    else
      positionals+=("$token")
    fi
  done
  for token in "\${(@Q)words[CURRENT+1,-1]}"; do given+=("\${token%%=*}"); done

  if [[ -n $pending ]]; then
    _busbar_offer_value "$route $pending"
  elif [[ -z $ended && $PREFIX == --*=* ]]; then
    lead=\${PREFIX%%=*}
    compset -P "\${(b)lead}="
    # The shell expands a tilde only at the start of a word, not after an equals sign.
    [[ $PREFIX == '~/'* ]] && PREFIX=$HOME/\${PREFIX#'~/'}
    _busbar_offer_value "$route $lead"
  elif [[ -z $ended && $PREFIX == -* ]]; then
    _busbar_offer_switches
  else
    children=() about=()
    [[ -n $settled ]] || _busbar_children "$route"
    (( $#children )) && _busbar_offer_children
    _busbar_offer_value "$route $#positionals"
    if [[ -z $kind && -z $PREFIX && -z $ended ]] && (( ! $#children )); then
      _busbar_offer_switches
    fi
  fi
  (( compstate[nmatches] > before ))
}
`;

/** `_describe` removes a backslash before any character. */
const escaped = (description: string): string => description.replaceAll('\\', '\\\\');

const dialect: TableDialect = {
  resetChildren: 'children=() about=()',
  assignChildren: (children) =>
    `children=(${quoteAllPosix(children.map(({ text }) => text))})
      about=(${quoteAllPosix(children.map(({ description }) => escaped(description)))})`,
  switchNotation: '[*]--name[=]:description, starred if it may be repeated.',
  switchWords: (switches) =>
    quoteAllPosix(switches.map(({ spec, description }) => `${spec}:${escaped(description)}`)),
};

/** The zsh script, to be sourced or put into `fpath` as `_busbar`. */
export const renderZsh = (model: CompletionModel): string =>
  `#compdef busbar
# Completion of busbar in zsh. Load it with: source <(busbar completion zsh)

${renderPosixTables(model, dialect)}

${zshEngine}
if [[ $funcstack[1] == _busbar ]]; then
  _busbar "$@"
else
  (( \${+functions[compdef]} )) || { autoload -Uz compinit && compinit }
  compdef _busbar busbar
fi
`;
