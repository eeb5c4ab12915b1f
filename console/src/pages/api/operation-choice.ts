import { signal } from '@preact/signals';
import { goTo } from '../../state/pages.ts';

/**
 * The operation that the palette wants carried out at once. Only a signal and no part of the
 * address: a link must not be able to run anything.
 */
export const pendingRun = signal<string | null>(null);

/** Opens the picker on an operation. */
export const showOperation = (id: string): void => goTo('api', { operation: id });

/** Opens the picker on an operation that takes nothing, and runs it. */
export const runOperation = (id: string): void => {
  pendingRun.value = id;
  showOperation(id);
};
