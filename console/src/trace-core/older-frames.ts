import { ApiError } from '../api/api-error.ts';
import type { MessageEvent as FrameEvent, MessageHistory } from '../api/client.ts';

export type AskHistory = (after: number, limit: number) => Promise<MessageHistory>;

interface OlderFrames {
  readonly events: readonly FrameEvent[];
  readonly isEnd: boolean;
  /** Channels with older events that only a separate request returns. */
  readonly left: readonly string[];
}

const pageEvents = 2048;
/**
 * With fewer events, the next request starts further back: events of quiet channels are far apart.
 */
const enoughEvents = 256;
const spanGrowth = 4;
/** A reader whose cursor expires more often is too slow for the ring. */
const maxExpiries = 4;

/** The cursor to resume from after `cursor_expired`; null for other errors. */
const resumedCursor = (thrown: unknown): number | null => {
  if (!(thrown instanceof ApiError) || thrown.code !== 'cursor_expired') return null;
  return Number(thrown.details.oldest_available) - 1;
};

interface Part {
  readonly events: readonly FrameEvent[];
  readonly last: MessageHistory;
}

const readBetween = async (from: number, before: number, ask: AskHistory): Promise<Part> => {
  const events: FrameEvent[] = [];
  for (let after = from, expiries = 0; ; ) {
    try {
      const last = await ask(after, pageEvents);
      const older = last.events.filter(({ event_id }) => event_id < before);
      events.push(...older);
      after = last.next_after;
      const isOver = older.length < last.events.length || last.events.length === 0;
      if (isOver || after >= before - 1) return { events, last };
    } catch (thrown) {
      const resumed = resumedCursor(thrown);
      expiries++;
      if (resumed === null || expiries > maxExpiries) throw thrown;
      // The previous events are not contiguous with the next ones.
      events.length = 0;
      // A cursor of 0 never expires, and the response names the channels with older events.
      after = resumed < before - 1 ? resumed : 0;
    }
  }
};

export const readOlder = async (before: number, ask: AskHistory): Promise<OlderFrames> => {
  let events: readonly FrameEvent[] = [];
  let first = before;
  for (let span = pageEvents; ; span *= spanGrowth) {
    const after = Math.max(0, first - 1 - span);
    const part = await readBetween(after, first, ask);
    events = [...part.events, ...events];
    first = after + 1;
    const isEnd = after < part.last.oldest_available;
    if (!isEnd && events.length < enoughEvents) continue;
    const oldest = events[0]?.event_id ?? before;
    const older = part.last.older.filter(({ oldest_available }) => oldest_available < oldest);
    return { events, isEnd, left: isEnd ? older.map(({ selector }) => selector) : [] };
  }
};
