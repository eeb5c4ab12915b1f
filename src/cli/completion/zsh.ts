import type { Candidate, CompletionModel } from './completion-model.ts';
import { assignSource, caseArm, quoteAllPosix, quotePosix } from './posix-text.ts';
import { zshEngine } from './zsh-engine.ts';

/** `_describe` takes a backslash off before any character. */
const escaped = (description: string): string => description.replaceAll('\\', '\\\\');

const assignChildren = (children: readonly Candidate[]): string =>
  `children=(${quoteAllPosix(children.map(({ text }) => text))})
      about=(${quoteAllPosix(children.map(({ description }) => escaped(description)))})`;

const described = (switches: CompletionModel['globals']): string =>
  quoteAllPosix(switches.map(({ spec, description }) => `${spec}:${escaped(description)}`));

const renderTables = (model: CompletionModel): string => {
  const { levels, commands, globals, values, globalValues } = model;
  return [
    '_busbar_children() {',
    '  children=() about=()',
    '  case $1 in',
    ...levels.map(({ route, children }) => caseArm([quotePosix(route)], assignChildren(children))),
    '  esac',
    '}',
    '',
    '_busbar_is_command() {',
    '  case $1 in',
    caseArm(
      commands.map(({ route }) => quotePosix(route)),
      'return 0',
    ),
    '  esac',
    '  return 1',
    '}',
    '',
    '# [*]--name[=]:description, starred where it may be repeated.',
    '_busbar_switches() {',
    '  switches=()',
    '  case $1 in',
    ...commands
      .filter(({ switches }) => switches.length > 0)
      .map(({ route, switches }) =>
        caseArm([quotePosix(route)], `switches=(${described(switches)})`),
      ),
    '  esac',
    `  switches+=(${described(globals)})`,
    '}',
    '',
    '# By command and option, or by command and number of the positional.',
    '_busbar_value() {',
    "  kind='' choices=()",
    '  case $1 in',
    ...values.map(({ place, source }) => caseArm([quotePosix(place)], assignSource(source))),
    ...globalValues.map(({ place, source }) =>
      caseArm([`*${quotePosix(` ${place}`)}`], assignSource(source)),
    ),
    '  esac',
    '}',
  ].join('\n');
};

/** The script for zsh, to be sourced or to be put into a directory of `fpath` as `_busbar`. */
export const renderZsh = (model: CompletionModel): string =>
  `#compdef busbar
# Completion of busbar in zsh. Load it with: source <(busbar completion zsh)

${renderTables(model)}

${zshEngine}
if [[ $funcstack[1] == _busbar ]]; then
  _busbar "$@"
else
  (( \${+functions[compdef]} )) || { autoload -Uz compinit && compinit }
  compdef _busbar busbar
fi
`;
