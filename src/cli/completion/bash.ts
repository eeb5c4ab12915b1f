import { bashEngine } from './bash-engine.ts';
import type { CompletionModel } from './completion-model.ts';
import { renderPosixTables, type TableDialect } from './posix-tables.ts';
import { quoteAllPosix } from './posix-text.ts';

const dialect: TableDialect = {
  resetChildren: 'children=()',
  assignChildren: (children) => `children=(${quoteAllPosix(children.map(({ text }) => text))})`,
  switchNotation:
    '[*]--name[=]: starred where it may be repeated, with an equals sign where it takes a value.',
  switchWords: (switches) => quoteAllPosix(switches.map(({ spec }) => spec)),
};

/** The bash script; works with and without bash-completion. */
export const renderBash = (model: CompletionModel): string =>
  `# Completion of busbar in bash. Load it with: source <(busbar completion bash)

${renderPosixTables(model, dialect)}

${bashEngine}
complete -F _busbar busbar
`;
