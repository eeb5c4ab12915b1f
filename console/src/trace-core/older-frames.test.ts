import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import type { MessageHistory } from '../api/client.ts';
import { readOlder } from './older-frames.ts';

type Event = MessageHistory['events'][number];

/** A service that stores some events, returns a limited page, and lets cursors expire. */
const serviceWith = (oldest: number, newest: number, max = 1000) => {
  const asked: number[] = [];
  const ask = async (after: number, limit: number): Promise<MessageHistory> => {
    asked.push(after);
    if (after > 0 && after < oldest - 1) {
      const details = { oldest_available: oldest, newest_available: newest };
      throw new ApiError({ code: 'cursor_expired', message: '', details, retryable: false });
    }
    const first = Math.max(after + 1, oldest);
    const count = Math.max(0, Math.min(limit, max, newest - first + 1));
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

/** Channels with their lost events, newest event, and distance between events. */
const benchWith = (
  channels: Readonly<Record<string, readonly [lost: number, newest: number, step: number]>>,
) => {
  const bench = {
    asked: 0,
    history:
      (...names: readonly string[]) =>
      async (after: number, limit: number): Promise<MessageHistory> => {
        bench.asked++;
        const rings = names.map((name) => {
          const [lost, newest, step] = channels[name] ?? [0, 0, 1];
          const first = (Math.floor(lost / step) + 1) * step;
          const count = Math.floor((newest - first) / step) + 1;
          return { name, lost, ids: Array.from({ length: count }, (_, at) => first + at * step) };
        });
        const lost = Math.max(...rings.map((ring) => ring.lost));
        const ids = rings.flatMap((ring) => ring.ids).sort((a, b) => a - b);
        const kept = ids.filter((id) => id > lost);
        const [oldest_available = 0, newest_available = 0] = [kept[0], kept.at(-1)];
        if (after > 0 && after < lost) {
          const details = { oldest_available, newest_available };
          throw new ApiError({ code: 'cursor_expired', message: '', details, retryable: false });
        }
        const events = kept.filter((id) => id > after).slice(0, limit);
        return {
          events: events.map((event_id) => ({ event_id }) as Event),
          next_after: events.at(-1) ?? after,
          has_more: events.at(-1) !== newest_available,
          stream_epoch: 1,
          oldest_available,
          newest_available,
          older: rings
            .filter((ring) => ring.lost < lost && (ring.ids[0] ?? lost) < oldest_available)
            .map((ring) => ({
              channel: 0,
              selector: ring.name,
              oldest_available: ring.ids[0] ?? 0,
            })),
        };
      },
  };
  return bench;
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

  it('looks further back where events are far apart, for all that a quiet channel keeps', async () => {
    const bench = benchWith({ busy: [90_000, 99_999, 1], quiet: [0, 99_999, 10_000] });
    const { events, isEnd, left } = await readOlder(100_000, bench.history('quiet'));
    expect(events.map(({ event_id }) => event_id)).toEqual([
      ...[10_000, 20_000, 30_000, 40_000, 50_000, 60_000, 70_000, 80_000, 90_000],
    ]);
    expect([isEnd, left]).toEqual([true, []]);
    expect(bench.asked).toBeLessThan(10);
  });

  it('names the channels that keep more than all of them together', async () => {
    const bench = benchWith({ busy: [90_000, 99_999, 1], quiet: [0, 99_999, 10_000] });
    const all = bench.history('busy', 'quiet');
    await expect(readOlder(95_000, all)).resolves.toMatchObject({ isEnd: false, left: [] });
    const first = await readOlder(91_000, all);
    expect([idsOf(first.events)[0], first.isEnd, first.left]).toEqual([90_001, true, ['quiet']]);
    await expect(readOlder(90_001, all)).resolves.toEqual({
      events: [],
      isEnd: true,
      left: ['quiet'],
    });
    await expect(readOlder(10_000, all)).resolves.toMatchObject({ isEnd: true, left: [] });
  });

  it('passes on any other failure', async () => {
    const failing = async (): Promise<MessageHistory> => {
      throw new ApiError({ code: 'unreachable', message: 'gone' });
    };
    await expect(readOlder(10, failing)).rejects.toMatchObject({ code: 'unreachable' });
  });
});
