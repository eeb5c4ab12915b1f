import { describe, expect, it } from 'vitest';
import { cases } from '../../../src/base/testing/long.ts';
import { seededRandom } from '../../../src/base/testing/seeded-random.ts';
import { eventKindCode } from '../../../src/frame/frm2-layout.ts';
import { Reassembler } from '../../../src/pdu/j1939/reassembler.ts';
import type { Pdu } from '../../../src/pdu/pdu.ts';
import { type HeardFrame, type HeardTransfer, listen } from './listener.ts';
import { randomTraffic } from './random-traffic.ts';

const transfersOfRun = 100;
const runs = cases(5, 1000);

const reassembled = (frames: readonly HeardFrame[]): HeardTransfer[] => {
  const pdus: Pdu[] = [];
  const reassembler = new Reassembler({ onPdu: (pdu) => pdus.push(pdu) });
  for (const [index, { id, data, ms }] of frames.entries()) {
    const bytes = Uint8Array.from(data);
    const { rx_frame } = eventKindCode;
    reassembler.take(0, rx_frame, id, bytes, 0, bytes.length, ms * 1000, index + 1);
  }
  reassembler.close();
  return pdus
    .filter(({ status }) => status !== 'orphan')
    .map(({ pgn, source, destination, status, payload }) => ({
      pgn,
      source: source ?? -1,
      destination: destination ?? -1,
      status,
      payload: [...payload],
    }));
};

const sorted = (transfers: readonly HeardTransfer[]): string[] =>
  transfers.map((transfer) => JSON.stringify(transfer)).sort();

describe('reassembly of random traffic with faults', () => {
  const tally = new Map<string, number>();
  const extended = new Map<string, number>();

  it(`agrees with the reference on ${runs * transfersOfRun} transfers, and has no wrong payload`, () => {
    for (let seed = 1; seed <= runs; seed++) {
      const { frames, sent } = randomTraffic(seededRandom(seed), transfersOfRun);
      const heard = reassembled(frames);
      expect(sorted(heard), `seed ${seed}`).toEqual(sorted(listen(frames)));
      const payloads = new Set(
        sent.map(({ pgn, source, destination, payload }) =>
          [pgn, source, destination, ...payload].join(),
        ),
      );
      for (const { pgn, source, destination, status, payload } of heard) {
        tally.set(status, (tally.get(status) ?? 0) + 1);
        if (payload.length > 1785) extended.set(status, (extended.get(status) ?? 0) + 1);
        if (status !== 'complete') continue;
        const isSent = payloads.has([pgn, source, destination, ...payload].join());
        expect(isSent, `wrong payload with seed ${seed}`).toBe(true);
      }
    }
  }, 600_000);

  it('meets every end of a transfer', () => {
    const ends = ['complete', 'lost', 'conflict', 'timeout', 'aborted', 'replaced', 'open'];
    expect(ends.filter((end) => (tally.get(end) ?? 0) === 0)).toEqual([]);
    expect(extended.get('complete') ?? 0).toBeGreaterThan(runs);
  });
});
