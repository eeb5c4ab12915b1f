import type { CompletionModel } from './completion-model.ts';
import { renderPosixTables, type TableDialect } from './posix-tables.ts';
import { quoteAllPosix } from './posix-text.ts';
import { zshEngine } from './zsh-engine.ts';

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
