import { describe, expect, it } from 'vitest';
import { EngineRig } from './testing/engine-rig.ts';
import { protecting, type Rows, relayProject, together } from './testing/relay-project.ts';
import { rule } from './testing/rules.ts';

const ms = 1000;

const rigOf = (...changes: Rows[]): EngineRig => new EngineRig(relayProject(together(...changes)));
const onChange = (more: object = {}): Rows => ({
  tx_tasks: [{ id: 'Cluster', policy: 'on_change', ...more }],
});
const timesOf = (rig: EngineRig): number[] => rig.frames.map(({ atUs }) => atUs / ms);

describe('a periodic task', () => {
  it(
    rule('periodic by default', 'sends at its start and then on the grid, whatever is received'),
    () => {
      const rig = rigOf().start(7 * ms);
      rig.observe('Engine', '05 00', 12 * ms);
      rig.observe('Engine', '06 00', 30 * ms);
      rig.runUntil(67 * ms);
      expect(timesOf(rig)).toEqual([7, 27, 47, 67]);
      expect(rig.sent()).toEqual(['0000', '0500', '0600', '0600']);
    },
  );

  it(rule('periodic by default', 'has a period of its own if it names one'), () => {
    const rig = rigOf({ tx_tasks: [{ id: 'Cluster', period_ms: 50 }] }).start();
    rig.runUntil(100 * ms);
    expect(timesOf(rig)).toEqual([0, 50, 100]);
  });

  it(rule('latest value', 'sends the latest of the values that came in its period'), () => {
    const rig = rigOf().start();
    for (const [at, hex] of [
      [5, '01 00'],
      [10, '02 00'],
      [15, '03 00'],
    ] as const) {
      rig.observe('Engine', hex, at * ms);
    }
    rig.runUntil(20 * ms);
    expect(rig.sent()).toEqual(['0000', '0300']);
  });

  it(rule('lateness', 'says how late it was, and is late from more than a millisecond on'), () => {
    const rig = rigOf().start();
    rig.run(20 * ms + 1000);
    expect(rig.task('Cluster')).toMatchObject({ last_lateness_us: 1000, late: 0 });
    rig.run(40 * ms + 1001);
    expect(rig.task('Cluster')).toMatchObject({
      last_lateness_us: 1001,
      max_lateness_us: 1001,
      late: 1,
    });
    rig.run(60 * ms);
    expect(rig.task('Cluster')).toMatchObject({
      last_lateness_us: 0,
      max_lateness_us: 1001,
      late: 1,
      missed: 0,
    });
  });

  it(
    rule('missed', 'sends once after a pause, for the latest due time, and goes on on its grid'),
    () => {
      const rig = rigOf().start();
      rig.run(95 * ms);
      rig.runUntil(120 * ms);
      expect(timesOf(rig)).toEqual([0, 95, 100, 120]);
      expect(rig.task('Cluster')).toMatchObject({
        accepted: 4,
        missed: 3,
        max_lateness_us: 15 * ms,
        late: 1,
      });
    },
  );

  it(rule('missed', 'sends nothing while a frame of it has no outcome'), () => {
    const rig = rigOf();
    rig.acknowledges = false;
    rig.start();
    rig.runUntil(70 * ms);
    expect(rig.task('Cluster')).toMatchObject({
      accepted: 1,
      pending: 1,
      sent: 0,
      missed: 3,
      late: 0,
    });
    rig.settle(null, 75 * ms);
    rig.runUntil(80 * ms);
    expect(timesOf(rig)).toEqual([0, 80]);
    expect(rig.task('Cluster')).toMatchObject({ accepted: 2, pending: 1, sent: 1, missed: 3 });
  });
});

describe('a task on change', () => {
  it(rule('on change', 'sends what is new, and nothing while only times change'), () => {
    const rig = rigOf(onChange()).start();
    rig.runUntil(50 * ms);
    expect(rig.sent()).toEqual([]);
    for (const [at, hex] of [
      [60, '05 00'],
      [70, '05 00'],
      [80, '05 ff'],
      [90, '06 00'],
    ] as const) {
      rig.observe('Engine', hex, at * ms);
    }
    rig.runUntil(100 * ms);
    expect(rig.frames.map(({ atUs, data }) => [atUs / ms, data])).toEqual([
      [60, '0500'],
      [90, '0600'],
    ]);
  });

  it(
    rule(
      'on change',
      'sends again when only the validity is another, and neither for counter nor checksum',
    ),
    () => {
      const rig = rigOf(onChange(), protecting).start();
      rig.observe('Engine', '05 00', 1 * ms);
      rig.observe('Engine', '05 00', 2 * ms);
      rig.runUntil(302 * ms - 1);
      expect(rig.sent()).toEqual(['050005']);
      rig.runUntil(302 * ms);
      expect(rig.signal('shown').quality).toBe('input_invalid');
      expect(rig.sent()).toEqual(['050005', '050104']);
    },
  );

  const pages: Rows = {
    signals: [
      { id: 'page', type: 'uint64', producer: 'software', initial: '1' },
      { id: 'a', type: 'uint64', producer: 'software', initial: '10' },
      { id: 'b', type: 'uint64', producer: 'software', initial: '10' },
    ],
    bindings: [
      { id: 'shown.tx', signal: 'page' },
      {
        id: 'a.tx',
        signal: 'a',
        direction: 'tx',
        message: 'Cluster',
        codec: 'u8',
        start_bit: 8,
        mux: { selector: 'shown.tx', values: ['1'] },
      },
      {
        id: 'b.tx',
        signal: 'b',
        direction: 'tx',
        message: 'Cluster',
        codec: 'u8',
        start_bit: 8,
        mux: { selector: 'shown.tx', values: ['2'] },
      },
    ],
  };

  it(rule('on change', 'sends a page when it becomes active, and looks at no other page'), () => {
    const rig = rigOf(onChange(), pages).start();
    const change = (signal: string, value: string) => {
      rig.set(signal, value);
      rig.run(rig.nowUs + 1 * ms);
    };
    change('b', '20');
    expect(rig.sent()).toEqual(['010a']);
    change('page', '2');
    change('a', '30');
    change('page', '1');
    change('page', '3');
    expect(rig.sent()).toEqual(['010a', '0214', '011e', '0300']);
  });

  it('waits for its least interval and then sends what is latest', () => {
    const rig = rigOf(onChange({ min_interval_ms: 50 })).start();
    for (const [at, hex] of [
      [10, '01 00'],
      [20, '02 00'],
      [30, '03 00'],
      [200, '04 00'],
    ] as const) {
      rig.runUntil(at * ms);
      rig.observe('Engine', hex, at * ms);
    }
    rig.runUntil(240 * ms);
    expect(rig.frames.map(({ atUs, data }) => [atUs / ms, data])).toEqual([
      [10, '0100'],
      [60, '0300'],
      [200, '0400'],
    ]);
    expect(rig.task('Cluster').coalesced).toBe(1);
  });

  it('tries again what was refused after a tenth of a second, and once it was taken no more', () => {
    const rig = rigOf(onChange()).start();
    rig.refusal = 'bus_off';
    rig.observe('Engine', '05 00', 10 * ms);
    rig.runUntil(109 * ms);
    expect(rig.task('Cluster')).toMatchObject({
      accepted: 0,
      failed: 0,
      error: { code: 'bus_off' },
    });
    rig.refusal = null;
    rig.runUntil(200 * ms);
    expect(timesOf(rig)).toEqual([110]);
    expect(rig.task('Cluster')).toMatchObject({ accepted: 1, sent: 1, error: null });
  });

  it('sends again what was accepted and then failed', () => {
    const rig = rigOf(onChange());
    rig.acknowledges = false;
    rig.start();
    rig.observe('Engine', '05 00', 10 * ms);
    rig.settle('tx_failed', 15 * ms);
    rig.runUntil(120 * ms);
    expect(timesOf(rig)).toEqual([10, 115]);
    expect(rig.task('Cluster')).toMatchObject({ accepted: 2, failed: 1, pending: 1, sent: 0 });
  });
});
