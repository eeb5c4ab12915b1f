import type { CliTable } from '../../operations/render/cli-table.ts';
import { renderBash } from './bash.ts';
import { completionModel } from './completion-model.ts';
import { renderFish } from './fish.ts';
import { renderZsh } from './zsh.ts';

const renderers = { bash: renderBash, zsh: renderZsh, fish: renderFish } as const;

export type CompletionShell = keyof typeof renderers;

/** Completion script of a shell: static text that never calls busbar. */
export const renderCompletion = (shell: CompletionShell, table: CliTable): string =>
  renderers[shell](completionModel(table));
