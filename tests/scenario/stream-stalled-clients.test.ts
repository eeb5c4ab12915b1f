import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isLong } from '../../src/base/testing/long.ts';
import { SseClient } from '../support/sse.ts';
import { FrameClient } from '../support/websocket.ts';
import { eventually } from '../support/workbench.ts';
import { StreamBench, selectorOf } from './support/stream-bench.ts';

const capacity = 16_384;
const megabyte = 1024 * 1024;
/**
 * Allowance for allocators and caches; a queue for a stalled client would add ten times as much.
 */
const allowedGrowth = 20 * megabyte;

interface Gap {
  readonly oldest_available: number;
  readonly newest_available: number;
  /** Number of missing ids. */
  readonly skipped: number;
  readonly missed: number | null;
}

/** Checks that ids are consecutive except at a reported gap. */
class Account {
  readonly gaps: Gap[] = [];
  readonly faults: string[] = [];
  readonly #sequences = new Map<number, number>();
  #pendingGap: Omit<Gap, 'skipped'> | undefined;
  last = 0;

  event(id: number, channel: number, sequence: number): void {
    const gap = this.#pendingGap;
    this.#pendingGap = undefined;
    if (gap) {
      this.gaps.push({ ...gap, skipped: id - this.last - 1 });
      if (id !== gap.oldest_available) this.faults.push(`gap to ${gap.oldest_available}, ${id}`);
    } else if (id !== this.last + 1) {
      this.faults.push(`${this.last} before ${id}`);
    } else if (sequence !== (this.#sequences.get(channel) ?? 0) + 1 && this.gaps.length === 0) {
      this.faults.push(`sequence ${sequence} of channel ${channel}`);
    }
    this.#sequences.set(channel, sequence);
    this.last = id;
  }

  gap(bounds: Omit<Gap, 'skipped' | 'missed'>, missed: number | null): void {
    if (this.#pendingGap) this.faults.push('a gap behind a gap');
    this.#pendingGap = { ...bounds, missed };
  }
}

const followSse = async (port: number): Promise<{ client: SseClient; account: Account }> => {
  const client = await SseClient.open({ port });
  const account = new Account();
  client.follow(({ event, data }) => {
    if (event === 'gap') account.gap(data, data.missed);
    else account.event(data.event_id, data.channel, data.source_sequence);
  });
  return { client, account };
};

const followFrames = async (port: number): Promise<{ client: FrameClient; account: Account }> => {
  const client = await FrameClient.open({ port });
  const account = new Account();
  client.follow((item) => {
    if ('text' in item) account.gap(item.text, null);
    else account.event(item.record.eventId, item.record.channel, item.record.sourceSequence);
  });
  return { client, account };
};

/**
 * Keeps both segments busy until stopped, and pauses only for readers with too little processor
 * time: their backlog must stay far below the history.
 */
const startTraffic = (
  bench: StreamBench,
  readers: readonly { readonly account: Account }[],
): (() => Promise<void>) => {
  const count = 500;
  const [first = 0] = readers.map(({ account }) => account.last);
  let sent = 0;
  let isWanted = true;
  const areWith = (): boolean =>
    readers.every(({ account }) => first + 2 * sent - account.last < capacity / 2);
  const send = async (port: number): Promise<void> => {
    while (isWanted) {
      await eventually(areWith);
      sent += count;
      const answer = await bench.post('/messages', {
        channel: selectorOf(port),
        type: 'data',
        id: 0x55,
        fd: true,
        brs: true,
        data: '5A'.repeat(64),
        count,
      });
      expect(answer.status, answer.text).toBe(200);
    }
  };
  // Two per segment, so that one frame always waits for the other.
  const senders = [0, 0, 2, 2].map(send);
  return async () => {
    isWanted = false;
    await Promise.all(senders);
    let newest = -1;
    await eventually(async () => {
      const before = newest;
      newest = (await bench.history()).newest_available;
      return newest === before;
    });
  };
};

describe.runIf(isLong)('clients that stop reading under full traffic', () => {
  it('cost neither the others an event nor the daemon memory, and are told what they missed', async () => {
    const bench = await StreamBench.start({
      ports: [0, 1, 2, 3],
      web: [`--history-capacity=${capacity}`],
    });
    const { port, workbench } = bench;
    const readers = [await followSse(port), await followFrames(port)];
    const stalledSse = await followSse(port);
    const stalledFrames = await followFrames(port);
    const stalled = [stalledSse, stalledFrames];
    for (const { client } of stalled) client.stall();

    const residentBytes = (): number => {
      const pages = readFileSync(`/proc/${workbench.daemonPid}/statm`, 'latin1').split(' ')[1];
      return Number(pages) * 4096;
    };
    /**
     * Until both stalled clients are that many events behind on every channel. words-ok: behind
     */
    const untilBehind = (events: number): Promise<void> =>
      eventually(async () => {
        const { consumers } = await bench.broker(0);
        return consumers.filter(({ lag }) => lag > events).length === stalled.length;
      });

    const stopTraffic = startTraffic(bench, readers);
    await untilBehind(capacity);
    const settled = residentBytes();
    await untilBehind(2 * capacity);
    expect(residentBytes() - settled).toBeLessThan(allowedGrowth);
    await stopTraffic();

    const { newest_available: newest, oldest_available: oldest } = await bench.history();
    for (const { client } of stalled) client.resume();
    const everyone = [...readers, ...stalled];
    await eventually(() => everyone.every(({ account }) => account.last === newest));
    for (const { account } of everyone) expect(account.faults).toEqual([]);
    for (const { account } of readers) expect(account.gaps).toEqual([]);
    for (const { account } of stalled) {
      expect(account.gaps).toMatchObject([{ oldest_available: oldest, newest_available: newest }]);
      expect(account.gaps[0]?.skipped).toBeGreaterThan(0);
    }
    expect(stalledSse.account.gaps[0]?.missed).toBe(stalledSse.account.gaps[0]?.skipped);

    // All clients continue, including the stalled ones.
    const stopAgain = startTraffic(bench, readers);
    await eventually(() => everyone.every(({ account }) => account.last > newest + 4000));
    await stopAgain();
    const { newest_available: last } = await bench.history();
    await eventually(() => everyone.every(({ account }) => account.last === last));
    for (const { account } of everyone) expect(account.faults).toEqual([]);
    expect(readers.flatMap(({ account }) => account.gaps)).toEqual([]);
    expect(stalled.flatMap(({ account }) => account.gaps)).toHaveLength(stalled.length);
    expect((await bench.get('/health')).json().status).toBe('ok');
  });
});
