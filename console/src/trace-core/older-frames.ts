import { ApiError } from '../api/api-error.ts';
import type { MessageEvent as FrameEvent, MessageHistory } from '../api/schema.ts';

/** Asks the service for a page of its history. */
export type AskHistory = (after: number, limit: number) => Promise<MessageHistory>;

export interface OlderFrames {
  /** In order, and all of them before the wanted event. */
  readonly events: readonly FrameEvent[];
  /** Whether the service keeps nothing before these. */
  readonly isEnd: boolean;
}

const pageEvents = 2048;
/** The bounds move on while they are read; a reader that is overtaken so often is too slow. */
const mostExpiries = 4;

/** The cursor that an expired one is replaced with; null if it failed for another reason. */
const resumedCursor = (thrown: unknown): number | null => {
  if (!(thrown instanceof ApiError) || thrown.code !== 'cursor_expired') return null;
  return Number(thrown.details.oldest_available) - 1;
};

/** The events right before one, as far as the service still keeps them. */
export const readOlder = async (before: number, ask: AskHistory): Promise<OlderFrames> => {
  const events: FrameEvent[] = [];
  let after = Math.max(0, before - 1 - pageEvents);
  let isEnd = after === 0;
  for (let expiries = 0; after < before - 1; ) {
    try {
      const page = await ask(after, pageEvents);
      const older = page.events.filter(({ event_id }) => event_id < before);
      events.push(...older);
      if (older.length < page.events.length || page.events.length === 0) break;
      after = page.next_after;
    } catch (thrown) {
      const resumed = resumedCursor(thrown);
      expiries++;
      if (resumed === null || expiries > mostExpiries) throw thrown;
      // What came before is no longer contiguous with what comes now.
      events.length = 0;
      after = resumed;
      isEnd = true;
    }
  }
  return { events, isEnd };
};
