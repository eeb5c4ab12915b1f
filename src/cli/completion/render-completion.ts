import type { CliTable } from '../../operations/render/cli-table.ts';
import { bashEngine } from './bash-engine.ts';
import { type CompletionModel, completionModel } from './completion-model.ts';
import { renderFish } from './fish.ts';
import { quoteAllPosix, renderPosixTables, type TableDialect } from './posix-tables.ts';
import { renderZsh } from './zsh.ts';

const dialect: TableDialect = {
  resetChildren: 'children=()',
  assignChildren: (children) => `children=(${quoteAllPosix(children.map(({ text }) => text))})`,
  switchNotation:
    '[*]--name[=]: starred if it may be repeated, with an equals sign if it has a value.',
  switchWords: (switches) => quoteAllPosix(switches.map(({ spec }) => spec)),
};

/** The bash script; works with and without bash-completion. */
const renderBash = (model: CompletionModel): string =>
  `# Completion of busbar in bash. Load it with: source <(busbar completion bash)

${renderPosixTables(model, dialect)}

${bashEngine}
complete -F _busbar busbar
`;

const renderers = { bash: renderBash, zsh: renderZsh, fish: renderFish } as const;

export type CompletionShell = keyof typeof renderers;

/** Completion script of a shell: static text that never runs busbar. */
export const renderCompletion = (shell: CompletionShell, table: CliTable): string =>
  renderers[shell](completionModel(table));
