import { ApiError } from '../api/api-error.ts';
import type { MessageEvent as FrameEvent, MessageHistory } from '../api/client.ts';

/** Asks the service for a page of its history. */
export type AskHistory = (after: number, limit: number) => Promise<MessageHistory>;

interface OlderFrames {
  /** In order, and all of them before the wanted event. */
  readonly events: readonly FrameEvent[];
  /** Whether the channels have nothing before these together. */
  readonly isEnd: boolean;
  /** At the end: those of the channels that keep older events, which each of them gives alone. */
  readonly left: readonly string[];
}

const pageEvents = 2048;
/** With fewer, more are looked for further back: events of quiet channels are far apart. */
const enoughEvents = 256;
const spanGrowth = 4;
/** The bounds move on while they are read; a reader that is overtaken so often is too slow. */
const mostExpiries = 4;

/** The cursor that an expired one is replaced with; null if it failed for another reason. */
const resumedCursor = (thrown: unknown): number | null => {
  if (!(thrown instanceof ApiError) || thrown.code !== 'cursor_expired') return null;
  return Number(thrown.details.oldest_available) - 1;
};

interface Part {
  readonly events: readonly FrameEvent[];
  readonly last: MessageHistory;
}

/** The events between two others, as far as the service still keeps them. */
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
      if (resumed === null || expiries > mostExpiries) throw thrown;
      // What came before is no longer contiguous with what comes now.
      events.length = 0;
      // From 0 on it answers even where nothing that old is left, and names those that keep more.
      after = resumed < before - 1 ? resumed : 0;
    }
  }
};

/** The events right before one, as far as the service still keeps them. */
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
