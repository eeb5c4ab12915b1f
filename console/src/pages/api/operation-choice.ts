import { signal } from '@preact/signals';
import { goTo } from '../../state/pages.ts';

/**
 * Operation that the palette runs. It is not part of the URL, so that a link cannot run
 * anything.
 */
export const pendingRun = signal<string | null>(null);

export const showOperation = (id: string): void => goTo('api', { operation: id });

export const runOperation = (id: string): void => {
  pendingRun.value = id;
  showOperation(id);
};
