import { describe, expect, it } from 'vitest';
import { encoderOf } from './testing/scripted-transport.ts';
import { type RecordedExchange, SessionRig } from './testing/session-rig.ts';
import { UnitBackOff } from './unit-record.ts';

const frame = encoderOf('rtu');

const opened = (kind: 'tcp' | 'rtu'): SessionRig => {
  const rig = new SessionRig(kind);
  rig.transport.accepts(rig.clock);
  return rig;
};

/** Units up to 8 answer after two milliseconds, the others never. */
const serve = (kind: 'tcp' | 'rtu'): SessionRig => {
  const rig = new SessionRig(kind);
  rig.transport.accepts(rig.clock, (link) => {
    link.onWrite = (bytes) => {
      const unit = bytes[kind === 'tcp' ? 6 : 0] as number;
      if (unit > 8) return;
      const head = Buffer.from(bytes.slice(0, 2)).toString('hex');
      const tcp = Buffer.from(`${head}00000005${`0${unit}`.slice(-2)}0302002a`, 'hex');
      rig.clock.after(2, () => link.receive(kind === 'tcp' ? tcp : frame(unit, [3, 2, 0, 42])));
    };
  });
  return rig;
};

describe.each(['tcp', 'rtu'] as const)('a dead unit among others: %s', (kind) => {
  it('has its requests wait behind those of others after each of its time-outs', () => {
    const rig = serve(kind);
    const ends: string[] = [];
    const ask = (unit: number): RecordedExchange => {
      const exchange = rig.ask(unit, undefined, 100);
      exchange.onEnd = () => ends.push(`${unit} ${exchange.ending}`);
      return exchange;
    };
    for (let i = 0; i < 3; i++) ask(9);
    for (const unit of [1, 2, 3]) ask(unit);
    rig.advanceMs(150);
    expect(ends).toEqual(['9 modbus_timeout', '1 registers', '2 registers', '3 registers']);
    ask(1);
    rig.advanceMs(1000);
    expect(ends.indexOf('1 registers', 4)).toBeLessThan(6);
    expect(ends).toHaveLength(7);
  });

  it('is passed over by polls for longer and longer, and only for the sake of others', () => {
    const rig = serve(kind);
    rig.ask(9, undefined, 100);
    rig.advanceMs(110);
    const nowUs = rig.clock.monotonicUs();
    expect(rig.session.isBackingOff(9, nowUs)).toBe(false);
    rig.ask(1);
    rig.advanceMs(10);
    expect(rig.session.isBackingOff(9, nowUs)).toBe(true);
    expect(rig.session.isBackingOff(1, nowUs)).toBe(false);
    expect(rig.session.units()).toMatchObject([
      { unit: 1, state: 'healthy', misses: 0, retry_in_ms: null },
      { unit: 9, state: 'backing_off', misses: 1, retry_in_ms: expect.any(Number) },
    ]);
    rig.advanceMs(400);
    expect(rig.session.isBackingOff(9, rig.clock.monotonicUs())).toBe(false);
    const [, missed] = rig.session.units();
    expect(missed).toMatchObject({ unit: 9, misses: 1, retry_in_ms: null });
    expect(missed?.state).toBe(kind === 'tcp' ? 'silent' : 'late');
  });

  it('lets requests wait for the link for five seconds and no longer, and says so', () => {
    const rig = opened(kind);
    rig.ask(9, undefined, 60_000);
    const [brief, patient] = [rig.ask(1, undefined, 200), rig.ask(1, undefined, 8000)];
    rig.advanceMs(4999);
    expect(brief.endings).toBe(0);
    rig.advanceMs(1);
    expect(brief.error).toMatchObject({
      code: 'busy',
      details: { unit: 1, reason: 'line_in_use', queued_ms: 5000 },
    });
    expect(rig.written).toHaveLength(1);
    rig.advanceMs(2999);
    expect(patient.endings).toBe(0);
    rig.advanceMs(1);
    expect(patient.error?.details).toMatchObject({ queued_ms: 8000 });
  });

  it('tells with a time-out how long the request had waited before it was sent', () => {
    const rig = opened(kind);
    rig.ask(9, undefined, 300);
    const second = rig.ask(8, undefined, 100);
    rig.advanceMs(500);
    expect(second.error).toMatchObject({
      code: 'modbus_timeout',
      details: { unit: 8, timeout_ms: 100, queued_ms: expect.any(Number) },
    });
    const { queued_ms: queuedMs } = second.error?.details ?? {};
    expect(queuedMs).toBeGreaterThanOrEqual(300);
    expect(queuedMs).toBeLessThan(310);
  });
});

describe('a gateway', () => {
  it('that says that its unit does not answer counts as the silence of that unit', () => {
    const rig = opened('tcp');
    rig.ask(9);
    rig.ask(9);
    rig.ask(1);
    rig.advanceMs(1);
    rig.transport.last.receive('00010000000309830b');
    // The next is another unit's turn.
    expect(rig.written[1]?.slice(12, 14)).toBe('01');
    rig.transport.last.receive('000200000005010302002a');
    expect(rig.session.units()).toMatchObject([
      { unit: 1, state: 'healthy' },
      { unit: 9, state: 'backing_off', misses: 1 },
    ]);
  });
});

describe('UnitBackOff', () => {
  const pauses = (hasAnswered: boolean, timeoutMs: number, misses: number): number[] => {
    const backOff = new UnitBackOff();
    if (hasAnswered) backOff.answered();
    return Array.from({ length: misses }, () => {
      backOff.missed(0, 1000 * timeoutMs);
      return Math.max(0, backOff.untilUs / 1000);
    });
  };

  it('grows with each miss up to twenty time-outs, or half a minute', () => {
    expect(pauses(false, 100, 5)).toEqual([400, 1600, 2000, 2000, 2000]);
    expect(pauses(false, 1000, 4)).toEqual([4000, 16_000, 20_000, 20_000]);
    expect(pauses(false, 10_000, 2)).toEqual([30_000, 30_000]);
  });

  it('does not hold a single miss against a unit that has answered', () => {
    expect(pauses(true, 100, 4)).toEqual([0, 400, 1600, 2000]);
  });

  it('ends with an answer', () => {
    const backOff = new UnitBackOff();
    backOff.missed(0, 1000);
    backOff.answered();
    expect(backOff).toMatchObject({ misses: 0, untilUs: Number.NEGATIVE_INFINITY });
  });
});
