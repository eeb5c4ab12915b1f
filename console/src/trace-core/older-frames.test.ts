import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import type { MessageHistory } from '../api/schema.ts';
import { readOlder } from './older-frames.ts';

type Event = MessageHistory['events'][number];

/** A service that keeps some events, answers so many at once, and lets cursors expire. */
const serviceWith = (oldest: number, newest: number, most = 1000) => {
  const asked: number[] = [];
  const ask = async (after: number, limit: number): Promise<MessageHistory> => {
    asked.push(after);
    if (after > 0 && after < oldest - 1) {
      const details = { oldest_available: oldest, newest_available: newest };
      throw new ApiError({ code: 'cursor_expired', message: '', details, retryable: false });
    }
    const first = Math.max(after + 1, oldest);
    const count = Math.max(0, Math.min(limit, most, newest - first + 1));
    const events = Array.from({ length: count }, (_, i) => ({ event_id: first + i }) as Event);
    const bounds = {
      oldest_available: oldest,
      newest_available: newest,
      stream_epoch: 1,
      older: [],
    };
    const last = first + count - 1;
    return { events, next_after: last, has_more: last < newest, ...bounds };
  };
  return { ask, asked };
};

const idsOf = (events: readonly Event[]): [number | undefined, number | undefined, number] => [
  events[0]?.event_id,
  events.at(-1)?.event_id,
  events.length,
];

describe('readOlder', () => {
  it('reads right up to the wanted event, in as many answers as it takes', async () => {
    const { ask } = serviceWith(1, 100_000);
    const { events, isEnd } = await readOlder(50_000, ask);
    expect(idsOf(events)).toEqual([47_952, 49_999, 2048]);
    expect(isEnd).toBe(false);
  });

  it('goes on from the oldest event there is where its cursor has expired', async () => {
    const { ask, asked } = serviceWith(49_000, 100_000);
    const { events, isEnd } = await readOlder(50_000, ask);
    expect(asked).toEqual([47_951, 48_999]);
    expect(idsOf(events)).toEqual([49_000, 49_999, 1000]);
    expect(isEnd).toBe(true);
  });

  it('finds nothing where everything older is gone', async () => {
    const { events, isEnd } = await readOlder(50_000, serviceWith(60_000, 100_000).ask);
    expect([events.length, isEnd]).toEqual([0, true]);
  });

  it('reads from the beginning where that is near', async () => {
    const { events, isEnd } = await readOlder(101, serviceWith(1, 200).ask);
    expect(idsOf(events)).toEqual([1, 100, 100]);
    expect(isEnd).toBe(true);
  });

  it('leaves no hole where the history moves on while it is read', async () => {
    const early = serviceWith(1, 100_000, 500);
    const late = serviceWith(49_700, 100_000, 500);
    let calls = 0;
    const { events } = await readOlder(50_000, (after, limit) =>
      calls++ < 2 ? early.ask(after, limit) : late.ask(after, limit),
    );
    expect(idsOf(events)).toEqual([49_700, 49_999, 300]);
  });

  it('passes on any other failure', async () => {
    const failing = async (): Promise<MessageHistory> => {
      throw new ApiError({ code: 'unreachable', message: 'gone' });
    };
    await expect(readOlder(10, failing)).rejects.toMatchObject({ code: 'unreachable' });
  });
});
