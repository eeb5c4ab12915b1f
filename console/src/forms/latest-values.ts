import { type ReadonlySignal, signal } from '@preact/signals';
import type { ApiError } from '../api/api-error.ts';

type Texts = Readonly<Record<string, string>>;

export interface LatestValues {
  /** Values that were entered and not yet confirmed, by name. */
  readonly drafts: ReadonlySignal<Texts>;
  readonly error: ReadonlySignal<ApiError | null>;
  /** Why the value of a signal was refused. */
  problemOf(name: string): string | null;
  put(name: string, text: string): void;
}

const without = (texts: Texts, names: readonly string[]): Texts =>
  Object.fromEntries(Object.entries(texts).filter(([name]) => !names.includes(name)));

const fieldOf = (name: string): string => `signals.${name}`;

/**
 * Sends values while they are changed: one request at a time, and then the latest values together.
 * A refused value is kept, so that it can be corrected, and does not hold up the others.
 */
export const latestValues = (send: (texts: Texts) => Promise<unknown>): LatestValues => {
  const drafts = signal<Texts>({});
  const error = signal<ApiError | null>(null);
  let waiting: Texts = {};
  let isBusy = false;

  /** A value stays refused until it is changed. */
  const isKept = (): boolean =>
    Object.keys(drafts.peek()).some((name) => error.peek()?.field === fieldOf(name));
  const sendWaiting = async (): Promise<void> => {
    const sent = waiting;
    waiting = {};
    let kept: readonly string[] = [];
    try {
      await send(sent);
      if (!isKept()) error.value = null;
    } catch (thrown) {
      const refusal = thrown as ApiError;
      error.value = refusal;
      kept = Object.keys(sent).filter((name) => refusal.field === fieldOf(name));
      // All values of a request are taken, or none.
      if (kept.length > 0) waiting = { ...without(sent, kept), ...waiting };
    }
    const settled = Object.keys(sent).filter((name) => !kept.includes(name) && !(name in waiting));
    drafts.value = without(drafts.peek(), settled);
  };
  const pump = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    while (Object.keys(waiting).length > 0) await sendWaiting();
    isBusy = false;
  };
  return {
    drafts,
    error,
    problemOf: (name) => (error.value?.field === fieldOf(name) ? error.value.message : null),
    put: (name, text) => {
      drafts.value = { ...drafts.peek(), [name]: text };
      waiting = { ...waiting, [name]: text };
      if (error.peek()?.field === fieldOf(name)) error.value = null;
      void pump();
    },
  };
};
