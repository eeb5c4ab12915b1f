import { describe, expect, it } from 'vitest';
import { cases } from '../../../src/base/testing/long.ts';
import { seededRandom } from '../../../src/base/testing/seeded-random.ts';
import { busCode, eventKindCode, frameFlag } from '../../../src/frame/frm2-layout.ts';
import { IsotpListener } from '../../../src/pdu/isotp/listener.ts';
import type { Pdu } from '../../../src/pdu/pdu.ts';
import { type BusFrame, type Direction, type HeardPayload, listen } from './listener.ts';
import { randomConversations } from './random-conversations.ts';

const messagesOfPair = 25;
const runs = cases(12, 800);

const pairOf = (one: number, other: number, address: number | null = null): Direction[] => [
  { id: one, from: other, address },
  { id: other, from: one, address },
];

const byRule = [
  ...pairOf(0x7e0, 0x7e8),
  ...pairOf(0x7e1, 0x7e9),
  ...pairOf(0x18da_10f1, 0x18da_f110),
  ...pairOf(0x18ce_20f1, 0x18ce_f120, 0x99),
];
const unknown = pairOf(0x123, 0x456);

const heardBy = (frames: readonly BusFrame[]): HeardPayload[] => {
  const pdus: Pdu[] = [];
  const listener = new IsotpListener({ onPdu: (pdu) => pdus.push(pdu) });
  for (const [index, { id, data, us }] of frames.entries()) {
    const extended = id > 0x7ff;
    const bytes = Uint8Array.from(data);
    if (!listener.concerns(extended ? frameFlag.extended : 0, id, bytes, 0)) continue;
    const place = { bytes, at: 0, length: bytes.length, timestampUs: us, eventId: index + 1 };
    Object.assign(listener.frame, place, { channel: 0, kind: eventKindCode.rx_frame });
    Object.assign(listener.frame, { id, extended });
    listener.take(busCode.can);
  }
  listener.expire(frames.at(-1)?.us ?? 0);
  listener.close();
  return pdus.map(({ id, status, payload }) => ({ id: id ?? -1, status, payload: [...payload] }));
};

const sorted = (heard: readonly HeardPayload[]): string[] =>
  heard.map((each) => JSON.stringify(each)).sort();

describe('listening to random conversations with faults', () => {
  const tally = new Map<string, number>();
  const foundOfUnknown = { sent: 0, complete: 0 };

  it(`agrees with the reference on ${runs * messagesOfPair * 5} messages, and has no wrong payload`, () => {
    for (let seed = 1; seed <= runs; seed++) {
      const directions = [...byRule, ...unknown];
      const { frames, sent } = randomConversations(seededRandom(seed), directions, messagesOfPair);
      const heard = heardBy(frames);
      const isUnknown = ({ id }: { readonly id: number }): boolean => id < 0x700;
      const known = heard.filter((each) => !isUnknown(each));
      expect(sorted(known), `seed ${seed}`).toEqual(sorted(listen(frames, byRule)));
      const payloads = new Set(sent.map(({ id, payload }) => [id, ...payload].join()));
      for (const each of heard) {
        const { id, status, payload } = each;
        tally.set(status, (tally.get(status) ?? 0) + 1);
        if (status !== 'complete') continue;
        if (isUnknown(each)) foundOfUnknown.complete += 1;
        const isIntruder = payload.join() === '62,128';
        const isSent = isIntruder || payloads.has([id, ...payload].join());
        expect(isSent, `wrong payload with seed ${seed}`).toBe(true);
      }
      foundOfUnknown.sent += sent.filter(isUnknown).length;
    }
  }, 600_000);

  it('meets every end of a message', () => {
    const ends = ['complete', 'lost', 'timeout', 'replaced', 'open'];
    expect(ends.filter((end) => (tally.get(end) ?? 0) === 0)).toEqual([]);
  });

  it('finds the pair that no rule knows, and then most of its messages', () => {
    expect(foundOfUnknown.complete).toBeGreaterThan(foundOfUnknown.sent / 2);
  });
});
