import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { loadProject } from '../project/load-project.ts';
import { EngineRig } from './testing/engine-rig.ts';
import { protecting, type Rows, relayProject, together } from './testing/relay-project.ts';
import { rule } from './testing/rules.ts';

const ms = 1000;

type Fault = { readonly kind: string; readonly id?: string; readonly [field: string]: unknown };

const faults = (...rows: Fault[]): Rows => ({
  fault_rules: rows.map((row, index) => ({
    id: `r${index}`,
    task: 'Cluster',
    enabled: true,
    ...row,
  })),
});

const rigOf = (...changes: Rows[]): EngineRig =>
  new EngineRig(relayProject(together(protecting, ...changes)));

/** The frames of this many periods from the start. Their value is 0. */
const framesOf = (periods: number, ...rows: Fault[]): string[] => {
  const rig = rigOf(faults(...rows)).start();
  rig.runUntil(20 * ms * (periods - 1));
  return rig.sent();
};

const problemsOf = (changes: Rows): unknown => {
  try {
    loadProject(Buffer.from(JSON.stringify(relayProject(changes))));
    return null;
  } catch (thrown) {
    return BusbarError.from(thrown).details.problems;
  }
};

describe('fault rules', () => {
  it(rule('off by default', 'do nothing unless they are switched on'), () => {
    expect(framesOf(3, { kind: 'suppress', enabled: undefined })).toEqual([
      '000000',
      '000101',
      '000202',
    ]);
  });

  it(rule('triggers', 'fire from an opportunity on, every so many, so often'), () => {
    const flip = { kind: 'xor_byte', byte_offset: 0, mask: 0xf0 };
    const hits = (fields: object) =>
      framesOf(9, { ...flip, ...fields }).flatMap((data, index) =>
        data.startsWith('f0') ? [index + 1] : [],
      );
    expect(hits({})).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(hits({ start: 3 })).toEqual([3, 4, 5, 6, 7, 8, 9]);
    expect(hits({ start: 2, every: 3 })).toEqual([2, 5, 8]);
    expect(hits({ start: 2, every: 3, count: 2 })).toEqual([2, 5]);
    expect(hits({ count: 0, every: 4 })).toEqual([1, 5, 9]);
  });

  it(
    rule(
      'opportunities',
      'count frames that are built, not periods that were skipped or waited for',
    ),
    () => {
      const rig = rigOf(faults({ kind: 'xor_byte', byte_offset: 0, mask: 0xf0, start: 3 })).start();
      rig.run(200 * ms);
      expect(rig.sent()).toEqual(['000000', '000101']);
      rig.acknowledges = false;
      rig.run(220 * ms);
      rig.run(240 * ms);
      rig.run(260 * ms);
      expect(rig.sent()).toEqual(['000000', '000101', 'f00202']);
      expect(rig.fired('r0')).toBe(1);
    },
  );

  it(rule('fault events', 'name the frame that was sent, by its event'), () => {
    const flip = { kind: 'xor_byte', byte_offset: 0, start: 2, every: 2 };
    const rig = rigOf(faults({ ...flip, mask: 0xf0 }, { ...flip, mask: 0x0f })).start();
    rig.acknowledges = false;
    rig.run(20 * ms);
    const frame = { id: 512, extended: false, fd: false, brs: false, data: 'FF0101' };
    const event = { kind: 'xor_byte', effect: 'injected', task: 'Cluster', channel: 3, ...frame };
    const event_id = null;
    const both = [
      { ...event, sequence: 1, rule: 'r0', selector: 'SIM/3', timestamp_us: 20 * ms, event_id },
      { ...event, sequence: 2, rule: 'r1', selector: 'SIM/3', timestamp_us: 20 * ms, event_id },
    ];
    expect(rig.faultEvents()).toEqual(both);
    rig.settle();
    expect(rig.faultEvents()).toEqual(both.map((each) => ({ ...each, event_id: 2 })));
  });

  it(rule('fault events', 'hold the frame that was dropped, and none where none was built'), () => {
    const rig = rigOf(
      faults(
        { kind: 'drop', count: 1 },
        { kind: 'repeat', start: 2, count: 1 },
        { kind: 'suppress', start: 3, count: 1 },
        { kind: 'drop', start: 4, count: 1 },
        { kind: 'suppress', start: 4, count: 1 },
        { kind: 'repeat', start: 6, count: 1 },
        { kind: 'bypass', start: 7, count: 1 },
      ),
    ).start();
    rig.runUntil(6 * 20 * ms);
    expect(
      rig.faultEvents().map(({ rule, effect, data, event_id }) => [rule, effect, data, event_id]),
    ).toEqual([
      ['r0', 'dropped', '000000', null],
      ['r1', 'suppressed', null, null],
      ['r2', 'suppressed', null, null],
      ['r3', 'conflict', null, null],
      ['r4', 'conflict', null, null],
      ['r5', 'repeated', '000101', 2],
      ['r6', 'unprotected', '000000', 3],
    ]);
  });

  it(rule('fault events', 'are one for all attempts at a frame'), () => {
    const rig = rigOf(
      {
        tx_tasks: [{ id: 'Cluster', policy: 'on_change' }],
        messages: [{ id: 'Engine', stale_after_ms: 0 }],
      },
      faults({ kind: 'xor_byte', byte_offset: 0, mask: 0xf0 }),
    ).start();
    rig.refusal = 'bus_off';
    rig.channel = null;
    rig.observe('Engine', '05 00', 10 * ms);
    rig.runUntil(400 * ms);
    const [event, ...others] = rig.faultEvents();
    expect(event).toMatchObject({ data: 'F50005', event_id: null, channel: null, selector: null });
    rig.refusal = null;
    rig.runUntil(600 * ms);
    expect(rig.faultEvents()).toEqual([{ ...event, event_id: 1 }, ...others]);
    expect(others).toEqual([]);
  });

  it(rule('fault events', 'keep the newest, whatever has come of a frame since'), () => {
    const rig = rigOf(faults({ kind: 'drop', start: 2, every: 1 })).start();
    rig.runUntil(1500 * 20 * ms);
    const events = rig.faultEvents();
    expect(events).toHaveLength(1024);
    expect(events.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 1024 }, (_, index) => 477 + index),
    );
    expect(events.at(-1)).toMatchObject({ timestamp_us: 1500 * 20 * ms });
  });

  it(rule('opportunities', 'take the attempts at one frame for one opportunity'), () => {
    const rig = rigOf(
      { tx_tasks: [{ id: 'Cluster', policy: 'on_change' }] },
      faults({ kind: 'xor_byte', byte_offset: 0, mask: 0xf0, start: 2, count: 1 }),
    ).start();
    rig.observe('Engine', '01 00', 1 * ms);
    rig.refusal = 'queue_full';
    rig.observe('Engine', '02 00', 2 * ms);
    rig.runUntil(150 * ms);
    expect(rig.task('Cluster')).toMatchObject({ generated: 2, injected: 1, accepted: 1 });
    rig.refusal = null;
    rig.runUntil(202 * ms);
    expect(rig.sent()).toEqual(['010001', 'f20103']);
    expect([rig.fired('r0'), rig.task('Cluster').generated]).toEqual([1, 2]);
  });

  it(rule('rearmed', 'begin anew with each start'), () => {
    const rig = rigOf(faults({ kind: 'suppress', start: 2, count: 1 })).start();
    rig.runUntil(60 * ms);
    expect(rig.frames.map(({ atUs }) => atUs / ms)).toEqual([0, 40, 60]);
    rig.stop();
    rig.start(1000 * ms);
    rig.runUntil(1060 * ms);
    expect(rig.frames.slice(3).map(({ atUs }) => atUs / ms)).toEqual([1000, 1040, 1060]);
    expect(rig.task('Cluster').suppressed).toBe(2);
  });

  it(
    rule(
      'rearmed',
      'count from when they are switched on, and are over when they are switched off',
    ),
    () => {
      const rig = rigOf(faults({ kind: 'suppress', enabled: false, start: 2, count: 1 })).start();
      rig.runUntil(60 * ms);
      rig.switchFault('r0', true);
      rig.switchFault('r0', true);
      rig.runUntil(120 * ms);
      expect(rig.frames.map(({ atUs }) => atUs / ms)).toEqual([0, 20, 40, 60, 80, 120]);
      rig.switchFault('r0', false);
      rig.switchFault('r0', true);
      expect(rig.fired('r0')).toBe(0);
      rig.runUntil(160 * ms);
      expect(rig.frames.slice(6).map(({ atUs }) => atUs / ms)).toEqual([140]);
    },
  );
});

describe('rules that change a frame', () => {
  it(
    rule('byte rules', 'write or flip a byte behind the protection, whose counter goes on'),
    () => {
      expect(
        framesOf(3, { kind: 'set_byte', byte_offset: 2, mask: 0xa5, start: 2, count: 1 }),
      ).toEqual(['000000', '0001a5', '000202']);
      expect(
        framesOf(3, { kind: 'xor_byte', byte_offset: 1, mask: 0x81, start: 2, count: 1 }),
      ).toEqual(['000000', '008001', '000202']);
    },
  );

  it(rule('byte rules', 'fire together in the order of their rows'), () => {
    expect(
      framesOf(
        1,
        { kind: 'set_byte', byte_offset: 0, mask: 0x0f },
        { kind: 'xor_byte', byte_offset: 0, mask: 0xff },
      ),
    ).toEqual(['f00000']);
    expect(
      framesOf(
        1,
        { kind: 'xor_byte', byte_offset: 0, mask: 0xff },
        { kind: 'set_byte', byte_offset: 0, mask: 0x0f },
      ),
    ).toEqual(['0f0000']);
  });

  it(rule('corrupt_checksum', 'flip the checksum by value or mask'), () => {
    expect(framesOf(2, { kind: 'corrupt_checksum', value: '129', count: 1 })).toEqual([
      '000081',
      '000101',
    ]);
    expect(framesOf(2, { kind: 'corrupt_checksum', mask: 1, start: 2 })).toEqual([
      '000000',
      '000100',
    ]);
  });

  it(
    rule(
      'corrupt_checksum',
      'are a problem of the project where they would change nothing or do not fit',
    ),
    () => {
      for (const value of ['0', '256', '-1']) {
        expect(
          problemsOf(together(protecting, faults({ kind: 'corrupt_checksum', value }))),
        ).toMatchObject([{ table: 'fault_rules', row: 'r0', field: 'value' }]);
      }
    },
  );

  it(
    rule(
      'fields of plugins',
      'are a problem of the project where the fields of the protection are not known',
    ),
    () => {
      const native: Rows = {
        plugins: [{ id: 'lib', kind: 'e2e', library: 'plugins/lib.so', entry: 'run' }],
        codecs: [{ id: 'own', kind: 'native', plugin: 'lib' }],
        e2e: [{ id: 'Cluster.protect', message: 'Cluster', direction: 'protect', codec: 'own' }],
      };
      for (const kind of ['freeze_counter', 'counter_jump', 'corrupt_checksum']) {
        const value = { value: '1' };
        for (const changes of [native, {}]) {
          expect(problemsOf(together(changes, faults({ kind, ...value }))), kind).toMatchObject([
            { table: 'fault_rules', row: 'r0', field: 'task', code: 'unprotected_task' },
          ]);
        }
      }
      const bytes = { kind: 'xor_byte', byte_offset: 0, mask: 1 };
      expect(
        problemsOf(together(native, faults(bytes, { kind: 'drop' }, { kind: 'repeat' }))),
      ).toBeNull();
    },
  );
});

describe('rules that decide whether a frame goes out', () => {
  it(rule('drop', 'drop the frame after its protection: a counter is missing'), () => {
    expect(framesOf(4, { kind: 'drop', start: 2, count: 2 })).toEqual(['000000', '000303']);
  });

  it(rule('repeat', 'repeat the last accepted frame, whatever its values are by now'), () => {
    const rig = rigOf(faults({ kind: 'repeat', start: 2, count: 1 })).start();
    rig.observe('Engine', '05 00', 10 * ms);
    rig.runUntil(40 * ms);
    expect(rig.sent()).toEqual(['000000', '000000', '050104']);
    expect(rig.task('Cluster')).toMatchObject({ repeated: 1, generated: 2, sent: 3 });
  });

  it(rule('repeat', 'never repeat a frame that was altered, bypassed or refused'), () => {
    const rig = rigOf(
      faults(
        { kind: 'xor_byte', byte_offset: 0, mask: 0xf0, start: 2, count: 1 },
        { kind: 'bypass', start: 3, count: 1 },
        { kind: 'repeat', start: 5, count: 1 },
      ),
    ).start();
    rig.runUntil(40 * ms);
    rig.refusal = 'queue_full';
    rig.runUntil(60 * ms);
    rig.refusal = null;
    rig.runUntil(100 * ms);
    expect(rig.sent()).toEqual(['000000', 'f00101', '000000', '000000', '000202']);
  });

  it(rule('repeat', 'have nothing to repeat at first, nor of an earlier run'), () => {
    const rig = rigOf(faults({ kind: 'repeat', count: 1 })).start();
    expect(rig.sent()).toEqual([]);
    expect(rig.task('Cluster')).toMatchObject({ suppressed: 1, repeated: 0 });
    rig.runUntil(20 * ms);
    rig.stop();
    rig.start(100 * ms);
    expect(rig.task('Cluster')).toMatchObject({ suppressed: 2, repeated: 0 });
  });

  it(rule('bypass', 'send the current values with the initial counter and no checksum'), () => {
    const rig = rigOf(
      { codecs: [{ id: 'guard', counter_initial: '3' }] },
      faults({ kind: 'bypass', start: 2, count: 1 }),
    ).start();
    rig.observe('Engine', '05 00', 10 * ms);
    rig.runUntil(40 * ms);
    expect(rig.sent()).toEqual(['000303', '050300', '050401']);
    expect(rig.task('Cluster')).toMatchObject({ unprotected: 1, generated: 2 });
  });

  it(rule('suppress', 'send nothing and build nothing'), () => {
    const rig = rigOf(faults({ kind: 'suppress', start: 2, count: 1 })).start();
    rig.runUntil(40 * ms);
    expect(rig.frames.map(({ atUs, data }) => [atUs / ms, data])).toEqual([
      [0, '000000'],
      [40, '000101'],
    ]);
    expect(rig.task('Cluster')).toMatchObject({
      suppressed: 1,
      generated: 2,
      missed: 0,
      accepted: 2,
    });
  });

  it(
    rule('counter unchanged', 'leave the counter alone if they bypass, suppress or repeat'),
    () => {
      for (const kind of ['bypass', 'suppress', 'repeat']) {
        expect(framesOf(3, { kind, start: 2, count: 1 }).at(-1), kind).toBe('000101');
      }
    },
  );

  it(
    rule('fault conflict', 'send nothing if two of them, or one and a change, fire together'),
    () => {
      for (const other of [{ kind: 'drop' }, { kind: 'xor_byte', byte_offset: 0, mask: 1 }]) {
        const rig = rigOf(
          faults({ kind: 'bypass', start: 2, count: 1 }, { ...other, start: 2, count: 1 }),
        ).start();
        rig.runUntil(20 * ms);
        expect(rig.task('Cluster')).toMatchObject({
          fault_conflicts: 1,
          generated: 1,
          unprotected: 0,
          error: { code: 'fault_conflict' },
        });
        expect([rig.fired('r0'), rig.fired('r1'), rig.instance.failed_tasks]).toEqual([1, 1, 1]);
        rig.runUntil(40 * ms);
        expect(rig.sent()).toEqual(['000000', '000101']);
        expect(rig.task('Cluster').error).toBeNull();
      }
    },
  );

  it('take the place of a frame for a task on change: it is not sent again', () => {
    for (const kind of ['drop', 'suppress']) {
      const rig = rigOf(
        { tx_tasks: [{ id: 'Cluster', policy: 'on_change' }] },
        faults({ kind, count: 1 }),
      ).start();
      rig.observe('Engine', '05 00', 1 * ms);
      rig.runUntil(250 * ms);
      expect(rig.sent(), kind).toEqual([]);
      rig.observe('Engine', '06 00');
      expect(rig.sent(), kind).toHaveLength(1);
    }
  });
});

describe('what rules did', () => {
  it(rule('fault counts', 'is counted apart from what was accepted and sent'), () => {
    const rig = rigOf(
      faults(
        { kind: 'drop', start: 2, count: 1 },
        { kind: 'repeat', start: 3, count: 1 },
        { kind: 'bypass', start: 4, count: 1 },
        { kind: 'suppress', start: 5, count: 1 },
        { kind: 'xor_byte', byte_offset: 0, mask: 1, start: 6, count: 1 },
        { kind: 'corrupt_checksum', mask: 1, start: 6, count: 1 },
        { kind: 'drop', start: 7, count: 1 },
        { kind: 'suppress', start: 7, count: 1 },
      ),
    ).start();
    rig.runUntil(140 * ms);
    const counts = {
      accepted: 5,
      sent: 5,
      failed: 0,
      generated: 4,
      injected: 1,
      unprotected: 1,
      dropped: 1,
      repeated: 1,
      suppressed: 1,
      fault_conflicts: 1,
    };
    expect(rig.task('Cluster')).toMatchObject(counts);
    expect(rig.instance).toMatchObject(counts);
  });
});
