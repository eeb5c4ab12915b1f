import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../base/testing/long.ts';
import type { Lane, LaneOwner } from './lane.ts';
import type { LaneGate } from './lane-gate.ts';
import { FakePort } from './testing/fake-port.ts';

const nothing = new Uint8Array(0);
const send = (lane: Lane, id: number, dlc = 0) => lane.send(id, 0, dlc, nothing, 0, 0);

/** Frames take their DLC in microseconds. */
class TestGate implements LaneGate {
  readonly lane: Lane;
  readonly #port: FakePort;
  opening = 0;
  endUs = Number.NEGATIVE_INFINITY;
  asked = 0;

  constructor(port: FakePort, lane: Lane) {
    this.#port = port;
    this.lane = lane;
  }

  get isOpen(): boolean {
    return this.endUs > this.#port.clock.monotonicUs();
  }

  admits(_action: number, dlc: number): boolean {
    this.asked += 1;
    return this.#port.clock.monotonicUs() + dlc <= this.endUs;
  }

  open(us: number): void {
    this.endUs = this.#port.clock.monotonicUs() + us;
    this.opening += 1;
    this.#port.outbox.gateOpened();
  }

  close(): void {
    this.endUs = Number.NEGATIVE_INFINITY;
  }
}

/** A sender that repeats a frame until it is accepted. */
const patient = (port: FakePort, id: number, dlc: number) => {
  const results: string[] = [];
  const owner: LaneOwner = {
    room: () => void results.push(send(lane, id, dlc)),
    settled: (outcome) => void results.push(outcome),
  };
  const lane = port.outbox.open(owner);
  results.push(send(lane, id, dlc));
  return results;
};

const setUp = () => {
  const port = new FakePort();
  const gate = new TestGate(port, port.outbox.open({}, { isUrgent: true, max: 2 }));
  port.outbox.setGate(gate);
  return { port, gate };
};

describe('an outbox with a gate', () => {
  it('starts frames of others only in a gap that fits them', () => {
    const { port, gate } = setUp();
    const results = patient(port, 7, 8);
    expect(results).toEqual(['full']);
    gate.open(7);
    port.clock.advanceUs(1);
    expect(results).toEqual(['full', 'full']);
    gate.open(20);
    port.clock.advanceUs(1);
    expect(results).toEqual(['full', 'full', 'accepted']);
    port.complete();
    expect(port.sent).toEqual([7]);
  });

  it('asks once in each gap, not without end', () => {
    const { port, gate } = setUp();
    for (let id = 0; id < 5; id++) patient(port, id, 100);
    gate.open(50);
    const before = gate.asked;
    port.clock.advanceUs(40);
    expect(gate.asked - before).toBeLessThanOrEqual(10);
  });

  it('gives the rest of the gap to the next frame that fits', () => {
    const { port, gate } = setUp();
    const all = [1, 2, 3].map((id) => patient(port, id, 4));
    gate.open(10);
    port.clock.advanceUs(4);
    port.complete();
    port.clock.advanceUs(4);
    port.complete();
    port.clock.advanceUs(1);
    expect(port.sent).toEqual([1, 2]);
    expect(port.isIdle).toBe(true);
    expect(all[2]?.at(-1)).toBe('full');
  });

  it('sends its own frames at once, before those that waited when it was set', () => {
    const port = new FakePort();
    const other = port.outbox.open({});
    for (const id of [1, 2, 3]) expect(send(other, id, 4)).toBe('accepted');
    const gate = new TestGate(port, port.outbox.open({}, { isUrgent: true }));
    port.outbox.setGate(gate);
    expect(send(gate.lane, 9)).toBe('accepted');
    port.complete();
    port.complete();
    port.clock.advanceUs(10);
    expect(port.sent).toEqual([1, 9]);
    gate.open(5);
    port.clock.advanceUs(1);
    port.complete();
    expect(port.sent).toEqual([1, 9, 2]);
    port.outbox.setGate(undefined);
    port.clock.advanceUs(1);
    port.complete();
    expect(port.sent).toEqual([1, 9, 2, 3]);
  });

  it('refuses what the port refuses, gap or not', () => {
    const { port } = setUp();
    port.refusal = 'bus_off';
    expect(send(port.outbox.open({}), 1)).toBe('bus_off');
  });

  it('never starts a frame outside a gap, and each accepted one has an outcome', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('send' as const), dlc: fc.nat(15) }),
      fc.record({ kind: fc.constant('own' as const) }),
      fc.record({ kind: fc.constant('open' as const), us: fc.nat(30) }),
      fc.record({ kind: fc.constant('close' as const) }),
      fc.record({ kind: fc.constant('complete' as const) }),
      fc.record({ kind: fc.constant('pass' as const), us: fc.nat(20) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const { port, gate } = setUp();
        const results: string[][] = [];
        for (const now of steps) {
          if (now.kind === 'send') {
            const before = { sent: port.pending, fits: gate.admits(0, now.dlc) && port.isIdle };
            results.push(patient(port, results.length, now.dlc));
            if (port.pending > before.sent) expect(before.fits).toBe(true);
          } else if (now.kind === 'own') send(gate.lane, 1000);
          else if (now.kind === 'open') gate.open(now.us);
          else if (now.kind === 'close') gate.close();
          else if (now.kind === 'complete') port.complete();
          else port.clock.advanceUs(now.us);
          port.clock.advanceUs(0);
        }
        port.outbox.setGate(undefined);
        for (let i = 0; i < 4 * steps.length + 4; i++) {
          port.complete();
          port.clock.advanceUs(1);
        }
        expect(results.map((all) => all.at(-1))).toEqual(results.map(() => 'sent'));
        expect(port.sent.filter((id) => id < 1000).sort((a, b) => a - b)).toEqual(
          results.map((_, id) => id),
        );
        expect(port.defects).toEqual([]);
      }),
      { numRuns: cases(80, 2000) },
    );
  });
});
