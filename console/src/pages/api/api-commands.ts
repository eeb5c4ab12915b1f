import { openApi } from '../../state/bench.ts';
import type { Command } from '../../state/commands.ts';
import { operationsOf, takesNothing } from './api-operations.ts';
import { runOperation, showOperation } from './operation-choice.ts';

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
