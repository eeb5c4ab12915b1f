import { describe, expect, it } from 'vitest';
import { registerBindingsOf, type Tables, tablesOf } from './project.ts';
import { randomModbusScript } from './random-script.ts';
import { runReference } from './reference.ts';
import { isOneBit } from './registers.ts';
import type { Script, Trace } from './script.ts';

const seeds = 250;
const runs = Array.from({ length: seeds }, (_, seed): [Script, Trace, Tables] => {
  const script = randomModbusScript(seed);
  return [script, runReference(script), tablesOf(script.project)];
});
const traces = runs.map(([, trace]) => trace);
const snapshots = traces.flatMap((trace) => trace.snapshots);
const steps = traces.flatMap(({ groups }) => groups.flatMap((group) => group.steps));

/** Expected values that were not found. */
const missing = <Value>(expected: readonly Value[], found: Iterable<Value>): Value[] => {
  const seen = new Set(found);
  return expected.filter((value) => !seen.has(value));
};

describe('random scripts with Modbus', () => {
  it('have time that never falls, and are the same for the same seed', () => {
    for (const [{ events }] of runs) {
      const times = events.map(({ atUs }) => atUs);
      expect(times).toEqual([...times].sort((a, b) => a - b));
    }
    expect(randomModbusScript(5)).toEqual(randomModbusScript(5));
  });

  it('lead bound signals to every quality that Modbus has', () => {
    const found = runs.flatMap(([, trace, tables]) => {
      const polled = new Set(
        registerBindingsOf(tables).flatMap((row) => (row.direction === 'rx' ? row.signal : [])),
      );
      return trace.snapshots.flatMap(({ signals }) =>
        signals.flatMap(({ id, quality }) => (polled.has(id) ? quality : [])),
      );
    });
    const qualities = ['good', 'initial', 'timeout', 'disconnected', 'invalid', 'not_available'];
    expect(missing([...qualities, 'error'], found)).toEqual([]);
  });

  it('lead tasks to every error of Modbus, and measure all that there is', () => {
    const tasks = snapshots.flatMap((snapshot) => snapshot.tasks);
    const codes = ['exception', 'timeout', 'unreachable', 'bad_reply'].map((it) => `modbus_${it}`);
    const errors = tasks.map(({ error }) => error);
    expect(missing([...codes, 'queue_full', null], errors)).toEqual([]);
    const timings = ['sourceAge', 'completionWait', 'queueWait', 'protocolWait'] as const;
    for (const name of timings) expect(tasks.some((task) => task[name].max > 0)).toBe(true);
    expect(snapshots.some(({ pollCoalesced }) => pollCoalesced > 0)).toBe(true);
  });

  it('write by every function, also bits of words', () => {
    const texts = steps.map((step) => `${'reads' in step ? '3 ' : ''}${step.function}`);
    expect(missing(['5', '6', '15', '16', '3 6', '3 16'], texts)).toEqual([]);
    expect(steps.some((step) => 'reads' in step && step.reads.length > 1)).toBe(true);
  });

  it('have clients whose writes are taken, and refused for either reason', () => {
    const answers = traces.flatMap((trace) => trace.answers.map(({ exception }) => exception));
    expect(missing([0, 2, 3], answers)).toEqual([]);
    const taken = answers.filter((exception) => exception === 0).length;
    expect(taken / answers.length).toBeGreaterThan(0.3);
  });

  it('have values cross from CAN to Modbus and back', () => {
    const crossings = runs.flatMap(([, , { bindings }]) => {
      const sideOf = (row: (typeof bindings)[number]) => (row.resource === undefined ? 'c' : 'm');
      const received = bindings.filter(({ direction }) => direction === 'rx');
      const sent = bindings.filter(({ direction }) => direction === 'tx');
      return received.flatMap((from) =>
        sent.flatMap((to) => (to.signal === from.signal ? sideOf(from) + sideOf(to) : [])),
      );
    });
    expect(missing(['cc', 'cm', 'mc', 'mm'], crossings)).toEqual([]);
  });

  it('have all kinds of resources, and bits of validity in each', () => {
    const found = runs.flatMap(([, , { modbus_resources }]) =>
      modbus_resources.map(({ access, table }) => `${access} ${table}`),
    );
    const all = ['coil', 'holding'].flatMap((table) =>
      ['poll', 'write', 'serve', 'external'].map((access) => `${access} ${table}`),
    );
    const readOnly = ['discrete', 'input'].flatMap((table) => [`poll ${table}`, `serve ${table}`]);
    expect(missing([...all, ...readOnly], found)).toEqual([]);
    const validity = runs.flatMap(([, , tables]) =>
      registerBindingsOf(tables).flatMap(({ validity_bit }) => {
        const bit = tables.modbus_resources.find(({ id }) => id === validity_bit);
        return bit === undefined ? [] : [`${bit.access} ${isOneBit(bit)}`];
      }),
    );
    const each = ['poll', 'write', 'serve', 'external'].map((access) => `${access} true`);
    expect(missing(each, validity)).toEqual([]);
  });
});
