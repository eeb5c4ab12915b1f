import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../base/testing/long.ts';
import { readRequest } from '../pdu/make-request.ts';
import type { ReadRegisters } from '../pdu/requests.ts';
import { FaultyUnits, randomNumbers, trueValue } from './testing/faulty-units.ts';
import { type RecordedExchange, SessionRig } from './testing/session-rig.ts';
import type { Transport } from './transport.ts';

const isWrong = ({ unit, request, registers }: RecordedExchange): boolean => {
  const { address } = request as ReadRegisters;
  return registers?.some((value, i) => value !== trueValue(unit, address + i)) ?? false;
};

const expectSound = (rig: SessionRig, asked: readonly RecordedExchange[]): void => {
  expect(asked.filter(isWrong)).toEqual([]);
  expect(asked.filter(({ endings }) => endings !== 1)).toEqual([]);
  const { counts: counters } = rig.session.counters;
  expect(counters.requests).toBe(
    counters.responses + counters.exceptions + counters.timeouts + counters.failures,
  );
  expect(rig.session.isIdle).toBe(true);
};

/** Sends requests in bursts with random faults, and then waits for all results. */
const weather = (kind: Transport['kind'], seed: number, faultShare: number): void => {
  const rig = new SessionRig(kind);
  new FaultyUnits(rig.transport, rig.clock, seed, faultShare);
  const random = randomNumbers(seed + 1);
  const asked: RecordedExchange[] = [];
  for (let burst = 0; burst < 40; burst++) {
    const size = 1 + Math.floor(random() * 6);
    for (let i = 0; i < size; i++) {
      const unit = 1 + Math.floor(random() * 3);
      const request = readRequest('holding', Math.floor(random() * 60_000), 1 + (i % 4));
      asked.push(rig.ask(unit, request, 200));
    }
    if (random() < 0.2) rig.session.cancel(asked.at(-1) as RecordedExchange);
    rig.advanceMs(random() * 500);
  }
  // The queue advances by at least one for each time-out and silence.
  rig.advanceMs(asked.length * 300);
  expectSound(rig, asked);

  rig.transport.accepts(rig.clock);
  rig.session.close();
  rig.advanceMs(10_000);
  expect(rig.scheduler.scheduledTasks).toBe(0);
  expect(rig.clock.pendingTimers).toBe(0);
};

describe.each(['tcp', 'rtu', 'ascii'] as const)('a session over a bad line: %s', (kind) => {
  it('delivers no wrong value, ends every exchange once, and goes on', () => {
    fc.assert(
      fc.property(fc.integer(), fc.double({ min: 0, max: 1, noNaN: true }), (seed, share) =>
        weather(kind, seed, share),
      ),
      { seed: 502, numRuns: cases(10, 40) },
    );
  });

  it('answers again as soon as the line is good', () => {
    const rig = new SessionRig(kind);
    const units = new FaultyUnits(rig.transport, rig.clock, 7, 1);
    for (let i = 0; i < 20; i++) rig.ask(1, undefined, 200);
    rig.advanceMs(20 * 300 + 5000);
    expect(rig.session.isIdle).toBe(true);
    new FaultyUnits(rig.transport, rig.clock, 8, 0);
    units.silentUntilUs = 0;
    rig.transport.last.lose();
    rig.advanceMs(10_000);
    // A few of many: the units answer one request in fifty with an exception.
    const reads = Array.from({ length: 50 }, () => rig.ask(1));
    rig.advanceMs(50 * 200);
    const good = reads.filter(({ registers }) => registers?.[0] === trueValue(1, 0));
    expect(good.length).toBeGreaterThan(40);
    expect(reads.filter(({ error }) => error && error.code !== 'modbus_exception')).toEqual([]);
  });
});

describe.each(['tcp', 'rtu', 'ascii'] as const)('hours on a bad line: %s', (kind) => {
  it('leaves nothing behind, and counters that add up', () => {
    const rig = new SessionRig(kind);
    new FaultyUnits(rig.transport, rig.clock, 24, 0.02);
    const hours = cases(1, 24);
    let wrong = 0;
    let unended = 0;
    let asked = 0;
    let maxWaiting = 0;
    for (let second = 0; second < hours * 3600; second++) {
      const read = rig.ask(1 + (second % 3), readRequest('holding', second & 0x7fff, 2), 500);
      asked += 1;
      unended += 1;
      read.onEnd = () => {
        unended -= 1;
        if (isWrong(read)) wrong += 1;
      };
      maxWaiting = Math.max(maxWaiting, rig.session.queueLength);
      rig.advanceMs(1000);
    }
    rig.advanceMs(10_000);
    expect({ wrong, unended }).toEqual({ wrong: 0, unended: 0 });
    expect(maxWaiting).toBeLessThan(20);
    const counts = rig.session.counters.record();
    expect(counts.requests).toBe(asked);
    expect(counts.responses + counts.exceptions + counts.timeouts + counts.failures).toBe(asked);
    expect(counts.responses).toBeGreaterThan(0.9 * asked);
    expect(Math.min(counts.timeouts, counts.failures, counts.reconnects)).toBeGreaterThan(
      2 * hours,
    );
    rig.session.close();
    rig.advanceMs(10_000);
    expect(rig.scheduler.scheduledTasks).toBe(0);
    expect(rig.clock.pendingTimers).toBe(0);
  });
});
