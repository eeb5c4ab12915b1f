import { describe, expect, it } from 'vitest';
import { cases } from '../../../src/base/testing/long.ts';
import { seededRandom } from '../../../src/base/testing/seeded-random.ts';
import type { IsotpFrame } from '../../../src/pdu/isotp/isotp-frame.ts';
import { Pci, readPci } from '../../../src/pdu/isotp/pci.ts';
import { IsotpReceiver } from '../../../src/pdu/isotp/receiver.ts';
import { IsotpSender } from '../../../src/pdu/isotp/sender.ts';
import { stMinUs } from '../../../src/pdu/isotp/st-min.ts';
import { type Node, PaperNode, paperTimes } from './paper-node.ts';
import { paperOutcomes, type Rules } from './paper-segments.ts';
import { randomBus } from './random-bus.ts';

const messagesOfRun = 200;
const runs = cases(20, 500);

const dataOf = ({ data, length }: IsotpFrame): number[] => [...data.subarray(0, length)];

/** Our sender and receiver at one end of a pair. */
class OurNode implements Node {
  readonly outcomes: string[] = [];
  readonly #sender: IsotpSender;
  readonly #receiver: IsotpReceiver;
  readonly #atPort: ('data' | 'flow')[] = [];
  readonly #pci = new Pci();
  readonly #addressBytes: 0 | 1;

  constructor(rules: Rules, tally: Map<string, number>) {
    const { addressByte, fd, txDl, padding, blockSize, stMin, maxLength } = rules;
    this.#addressBytes = addressByte === null ? 0 : 1;
    const address = { id: 0x7e0, extended: false, addressByte };
    const frames = { address, fd, brs: fd, padding };
    const count = (code: string): void => void tally.set(code, (tally.get(code) ?? 0) + 1);
    const { nAsUs, nBsUs, nCrUs } = paperTimes;
    this.#sender = new IsotpSender({ ...frames, txDl, nAsUs, nBsUs, waitMax: 0, onFinding: count });
    this.#receiver = new IsotpReceiver({
      ...frames,
      blockSize,
      stMinUs: stMinUs(stMin),
      maxLength,
      nArUs: nAsUs,
      nCrUs,
      onFinding: count,
      onPayload: (payload) => {
        count('ok');
        this.outcomes.push(`ok ${payload.join()}`);
      },
      onFailed: (code) => {
        count(code);
        this.outcomes.push(code);
      },
    });
  }

  get dueUs(): number {
    return Math.min(this.#sender.deadlineUs, this.#receiver.deadlineUs);
  }

  get isSending(): boolean {
    return !this.#sender.isOver;
  }

  start(payload: readonly number[], us: number): void {
    this.#sender.start(Uint8Array.from(payload), us);
  }

  hear(data: readonly number[], us: number): void {
    const bytes = Uint8Array.from(data);
    readPci(this.#pci, bytes, 0, bytes.length, this.#addressBytes);
    if (this.#pci.kind === 'flow') this.#sender.flow(this.#pci, us);
    else this.#receiver.received(this.#pci, bytes, 0, us);
  }

  take(us: number): number[] | null {
    const flow = this.#receiver.next();
    const frame = flow ?? this.#sender.next(us);
    if (!frame) return null;
    this.#atPort.push(flow ? 'flow' : 'data');
    return dataOf(frame);
  }

  sent(us: number): void {
    if (this.#atPort.shift() === 'flow') this.#receiver.sent(us);
    else this.#sender.sent(us);
  }

  expire(us: number): void {
    this.#sender.expire(us);
    this.#receiver.expire(us);
  }
}

/** Result of a message on a bus without faults. */
const cleanOutcome =
  ({ maxLength }: Rules) =>
  (payload: string): string =>
    payload.split(',').length > maxLength ? 'response_too_long' : `ok ${payload}`;

describe('messages on a bus with faults', () => {
  const tally = new Map<string, number>();

  it(`agree with the reference in ${runs * messagesOfRun} sessions, without a wrong payload`, () => {
    for (let seed = 1; seed <= runs; seed++) {
      const random = seededRandom(seed);
      const { isClean, received, broken } = randomBus(random, messagesOfRun, (rules) =>
        random() < 0.7 ? new OurNode(rules, tally) : new PaperNode(rules, random),
      );
      expect(broken, `seed ${seed}`).toEqual([]);
      for (const { rules, sent, frames, outcomes } of received) {
        const expected = paperOutcomes(rules, frames, paperTimes.nCrUs);
        if (outcomes) expect(outcomes, `seed ${seed}`).toEqual(expected);
        if (isClean)
          expect(expected, `lost with seed ${seed}`).toEqual(sent.map(cleanOutcome(rules)));
        const known = new Set(sent.map((payload) => `ok ${payload}`));
        const wrong = expected.filter((text) => text.startsWith('ok') && !known.has(text));
        expect(wrong, `wrong payload with seed ${seed}`).toEqual([]);
      }
    }
  }, 600_000);

  it('meets every end of a message', () => {
    const ends = ['ok', 'sequence_error', 'consecutive_frame_timeout', 'replaced'];
    const findings = ['response_too_long', 'unexpected_flow_control', 'reserved_st_min'];
    expect([...ends, ...findings].filter((code) => (tally.get(code) ?? 0) === 0)).toEqual([]);
    expect(tally.get('ok') ?? 0).toBeGreaterThan((runs * messagesOfRun) / 3);
  });
});
