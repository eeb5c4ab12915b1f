import { describe, expect, it } from 'vitest';
import { compareTraces } from './compare-traces.ts';
import { randomScript } from './random-script.ts';
import { runReference } from './reference.ts';
import type { SentFrame, SignalEntry, Trace } from './script.ts';

const signal = (value: string, more: Partial<SignalEntry> = {}): SignalEntry => ({
  id: 'speed',
  value,
  valid: true,
  quality: 'good',
  observedUs: 5,
  bindings: [],
  ...more,
});

const traceOf = (signals: readonly SignalEntry[], frames: readonly SentFrame[] = []): Trace => ({
  reads: [],
  frames,
  groups: [],
  answers: [],
  snapshots: [
    {
      atUs: 70,
      signals,
      tasks: [],
      rejected: { remote: 0, short: 0, e2e: 0 },
      pollCoalesced: 0,
      registers: [],
    },
  ],
});

const frame = (atUs: number, data: string): SentFrame => ({
  atUs,
  task: 'task',
  endpoint: 'can',
  id: 1,
  extended: false,
  fd: false,
  brs: false,
  data,
});

describe('comparing traces', () => {
  it('finds nothing in equal ones', () => {
    const trace = runReference(randomScript(3));
    expect(compareTraces(trace, structuredClone(trace))).toBeNull();
  });

  it('names the time, the place and both sides', () => {
    const difference = compareTraces(
      traceOf([signal('1')]),
      traceOf([signal('1', { quality: 'timeout' })]),
    );
    expect(difference).toBe('at 70 us snapshots[0].signals[speed].quality: "good" and "timeout"');
  });

  it('names what comes first by time', () => {
    const a = traceOf([signal('1')], [frame(10, '01'), frame(90, '02')]);
    const b = traceOf([signal('2')], [frame(10, '01'), frame(90, '03')]);
    expect(compareTraces(a, b)).toContain('at 70 us snapshots[0]');
    const c = traceOf([signal('2')], [frame(10, '01')]);
    expect(compareTraces(a, c)).toContain('at 70 us');
    expect(compareTraces(a, traceOf([signal('1')], [frame(10, '01')]))).toContain(
      'at 90 us frames[1]',
    );
  });

  it('forgives the last digits of fractions, and nothing else', () => {
    const a = traceOf([signal('48.10000000000001')]);
    expect(compareTraces(a, traceOf([signal('48.1')]))).toBeNull();
    expect(compareTraces(a, traceOf([signal('48.2')]))).not.toBeNull();
    expect(compareTraces(traceOf([signal('48')]), traceOf([signal('49')]))).not.toBeNull();
    const late = traceOf([signal('48.1', { observedUs: 6 })]);
    expect(compareTraces(a, late)).not.toBeNull();
  });
});
