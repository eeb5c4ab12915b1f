export const bashEngine = `\
_busbar_has() {
  local wanted=$1 item
  shift
  for item in "$@"; do [[ $item == "$wanted" ]] && return 0; done
  return 1
}

# Readline inserts only the text after its last word break, so the text before it is removed.
_busbar_reply() {
  local word=$lead$1
  COMPREPLY+=("\${word#"$kept"}")
}

_busbar_offer_choices() {
  local choice
  for choice in "$@"; do
    [[ $choice == "$typed"* ]] || continue
    [[ $quote ]] || printf -v choice '%q' "$choice"
    _busbar_reply "$choice"
  done
}

_busbar_offer_switches() {
  local spec name
  _busbar_switches "$route"
  for spec in "\${switches[@]}"; do
    name=\${spec#'*'}
    if [[ $spec == "$name" ]] && _busbar_has "\${name%=}" "\${given[@]}"; then continue; fi
    given+=("\${name%=}")
    [[ $name == "$current"* ]] || continue
    # No blank may follow an equals sign, so readline adds none and the others bring their own.
    [[ $name == *= ]] || name+=' '
    _busbar_reply "$name"
  done
  compopt -o nospace 2>/dev/null
}

_busbar_offer_paths() {
  local found partly=''
  # Readline marks directories, but knows none by a part of its path: it would add a blank.
  [[ $kept == "$lead" ]] || partly=1
  # The shell expands a tilde only at the start of a word, not after an equals sign.
  [[ $lead && $typed == '~/'* ]] && typed=$HOME/\${typed:2}
  while IFS= read -r found; do
    [[ $partly && -d $found ]] && found+=/
    _busbar_reply "$found"
  done < <(compgen "$1" -- "$typed")
  compopt -o filenames 2>/dev/null
  [[ ! $partly ]] || compopt -o nospace 2>/dev/null
}

_busbar_offer_value() {
  _busbar_value "$1"
  case $kind in
    choices) _busbar_offer_choices "\${choices[@]}" ;;
    files) _busbar_offer_paths -f ;;
    directories) _busbar_offer_paths -d ;;
    commands)
      _busbar_children "\${positionals[*]}"
      _busbar_offer_choices "\${children[@]}"
      ;;
  esac
}

# Readline also splits words at = and :, so words are rejoined at the blanks of the line.
_busbar_read_tokens() {
  local rest=\${COMP_LINE:0:COMP_POINT} trimmed word index
  for ((index = 0; index <= COMP_CWORD; index++)); do
    trimmed=\${rest#"\${rest%%[![:space:]]*}"}
    word=\${COMP_WORDS[index]}
    ((index < COMP_CWORD)) || word=$trimmed
    if ((index == 0)) || [[ $trimmed != "$rest" ]]; then tokens+=(''); fi
    tokens[\${#tokens[@]} - 1]+=$word
    rest=\${trimmed#"$word"}
  done
}

# Takes apart the word under the cursor: what is kept of it, and what it says without quotes.
_busbar_read_current() {
  local value=\${current#"$lead"} breaks=\${COMP_WORDBREAKS//[!=:]/} tail
  if [[ $value == [\\"\\']* ]]; then
    quote=\${value:0:1} typed=\${value:1} kept=$lead
    return
  fi
  IFS= read typed <<<"$value" # no -r: the backslashes are to go
  [[ $breaks && $current == *[$breaks]* ]] && kept=\${current%"\${current##*[$breaks]}"}
  tail=\${current#"$kept"}
  # At this one readline breaks too, but in front of it.
  [[ $COMP_WORDBREAKS == *@* && $tail == *@* ]] && kept+=\${tail%@*}
}

_busbar() {
  COMPREPLY=()
  local IFS=$' \\t\\n'
  local route='' settled='' ended='' pending='' token
  local current lead='' kept='' quote='' typed='' kind=''
  local -a tokens=() given=() positionals=() children=() switches=() choices=()
  _busbar_read_tokens
  current=\${tokens[\${#tokens[@]} - 1]}
  for token in "\${tokens[@]:1:\${#tokens[@]} - 2}"; do
    if [[ $pending ]]; then
      pending=''
      continue
    fi
    if [[ ! $settled ]]; then
      _busbar_children "$route"
      if _busbar_has "$token" "\${children[@]}"; then
        route=\${route:+$route }$token
        continue
      fi
      if _busbar_is_command "$route"; then
        settled=1
      elif [[ $token != -* ]]; then
        return
      fi
    fi
    if [[ ! $ended && $token == -- ]]; then
      ended=1
    elif [[ ! $ended && $token == -?* ]]; then
      given+=("\${token%%=*}")
      _busbar_switches "$route"
      _busbar_has "$token=" "\${switches[@]#'*'}" && pending=$token
    else
      positionals+=("$token")
    fi
  done
  for token in "\${COMP_WORDS[@]:COMP_CWORD + 1}"; do given+=("\${token%%=*}"); done

  if [[ ! $pending && ! $ended && $current == --*=* ]]; then lead=\${current%%=*}=; fi
  _busbar_read_current
  if [[ $pending ]]; then
    _busbar_offer_value "$route $pending"
  elif [[ $lead ]]; then
    _busbar_offer_value "$route \${lead%=}"
  elif [[ ! $ended && $current == -* ]]; then
    _busbar_offer_switches
  else
    children=()
    [[ $settled ]] || _busbar_children "$route"
    _busbar_offer_choices "\${children[@]}"
    _busbar_offer_value "$route \${#positionals[@]}"
    if [[ ! $kind && ! $current && ! $ended && \${#COMPREPLY[@]} == 0 ]]; then
      _busbar_offer_switches
    fi
  fi
}
`;
