import { signal } from '@preact/signals';
import { openApi } from '../../state/bench.ts';
import type { Command } from '../../state/commands.ts';
import { goTo } from '../../state/pages.ts';
import { operationsOf, takesNothing } from './api-operations.ts';

/**
 * Operation that the palette runs. It is not part of the URL, so that a link cannot run anything.
 */
export const pendingRun = signal<string | null>(null);

export const showOperation = (id: string): void => goTo('api', { operation: id });

const runOperation = (id: string): void => {
  pendingRun.value = id;
  showOperation(id);
};

export const apiCommands = (): readonly Command[] =>
  (openApi.data.value ? operationsOf(openApi.data.value) : []).map((operation) => {
    const runs = takesNothing(operation);
    return {
      id: `operation-${operation.id}`,
      group: runs ? 'Run' : 'API',
      title: operation.id,
      hint: operation.summary,
      run: () => (runs ? runOperation : showOperation)(operation.id),
    };
  });
