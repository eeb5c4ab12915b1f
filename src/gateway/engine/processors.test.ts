import { beforeEach, describe, expect, it } from 'vitest';
import { newVerdict, takeEffect, withdraw } from '../../base/threads/verdict.ts';
import { loadProject } from '../project/load-project.ts';
import type { LooseProject } from '../project/testing/coolant-project.ts';
import { EngineRig } from './testing/engine-rig.ts';
import { rule } from './testing/rules.ts';
import { type ScriptedItem, ScriptedProcessor } from './testing/scripted-processor.ts';

const ms = 1000;
const u8 = { kind: 'linear', raw: 'unsigned', bit_length: 8, byte_order: 'intel' };

/** A processor between a received frame and two tasks; a mapping reads what it computes. */
const project = (plugin: object = {}, more: LooseProject = {}): LooseProject => ({
  format: 'gwproj',
  schema_version: 1,
  endpoints: [{ id: 'bus', kind: 'can', network: 'bus' }],
  signals: [
    { id: 'in', type: 'uint64', producer: 'input' },
    { id: 'out', type: 'uint64', producer: 'derived' },
    { id: 'twice', type: 'uint64', producer: 'derived' },
  ],
  codecs: [{ id: 'u8', ...u8 }],
  messages: [
    { id: 'In', endpoint: 'bus', direction: 'rx', can_id: 1, length: 1, stale_after_ms: 50 },
    { id: 'One', endpoint: 'bus', direction: 'tx', can_id: 2, length: 2 },
    { id: 'Two', endpoint: 'bus', direction: 'tx', can_id: 3, length: 1 },
  ],
  bindings: [{ id: 'in', signal: 'in', direction: 'rx', message: 'In', codec: 'u8', start_bit: 0 }],
  mappings: [
    { id: 'twice', inputs: ['out'], outputs: ['twice'], transform: { kind: 'linear', k: 2, b: 0 } },
  ],
  tx_tasks: [
    { id: 'One', message: 'One', mode: 'request' },
    { id: 'Two', message: 'Two', mode: 'request' },
  ],
  plugins: [
    {
      id: 'plugin',
      kind: 'processor',
      library: 'plugins/p.so',
      entry: 'p',
      inputs: ['in'],
      outputs: ['out'],
      send_tasks: ['One', 'Two'],
      ...plugin,
    },
  ],
  ...more,
});

let processor: ScriptedProcessor;
beforeEach(() => {
  processor = new ScriptedProcessor(1);
});
const rigOf = (...parts: Parameters<typeof project>): EngineRig =>
  new EngineRig(project(...parts), processor.parts);

const items = (count: number): ScriptedItem[] =>
  Array.from({ length: count }, (_, index) => ({ hex: `${index}`.padStart(4, '0') }));

describe('a processor on its inputs', () => {
  it('runs at the start, and with each observation', () => {
    const rig = rigOf().start();
    rig.observe('In', '05', 10 * ms);
    rig.observe('In', '05', 20 * ms);
    rig.runUntil(80 * ms);
    expect(processor.seen).toEqual([
      { nowUs: 0, room: 16, inputs: [null], flags: [0] },
      { nowUs: 10 * ms, room: 16, inputs: [5], flags: [3] },
      { nowUs: 20 * ms, room: 16, inputs: [5], flags: [2] },
      { nowUs: 70 * ms, room: 16, inputs: [null], flags: [1] },
    ]);
  });

  it(
    rule('declared inputs', 'is evaluated before what reads its outputs, in the same round'),
    () => {
      const rig = rigOf().start();
      processor.script.push({ outputs: [21] });
      rig.observe('In', '05', 10 * ms);
      expect(rig.signal('out')).toMatchObject({
        value: '21',
        quality: 'good',
        observed_us: 10 * ms,
      });
      expect(rig.signal('twice')).toMatchObject({ value: '42', quality: 'good' });
    },
  );

  it('says that an output is not valid any more', () => {
    const rig = rigOf().start();
    processor.script.push({ outputs: [21] }, { outputs: [null] });
    rig.observe('In', '05', 10 * ms);
    rig.observe('In', '06', 20 * ms);
    expect(rig.signal('out')).toMatchObject({ value: '21', quality: 'invalid' });
  });

  it(rule('failed plugin', 'is over with the next good call, also if that says invalid'), () => {
    const rig = rigOf().start();
    processor.script.push({ outputs: [21] }, { fails: true }, { outputs: [null] });
    rig.observe('In', '05', 10 * ms);
    rig.observe('In', '06', 20 * ms);
    expect(rig.signal('out')).toMatchObject({ value: '21', quality: 'transform_error' });
    rig.observe('In', '07', 30 * ms);
    expect(rig.signal('out')).toMatchObject({ value: '21', quality: 'invalid', valid: false });
    expect(rig.signal('twice')).toMatchObject({ quality: 'input_invalid' });
  });

  it('leaves what no call has set, and the time of what is invalid already', () => {
    const rig = rigOf().start();
    processor.script.push({ outputs: [null] }, { outputs: [21] }, { outputs: [null] });
    rig.observe('In', '05', 10 * ms);
    expect(rig.signal('out')).toMatchObject({ value: null, quality: 'initial' });
    rig.observe('In', '05', 20 * ms);
    rig.observe('In', '05', 30 * ms);
    processor.script.push({ outputs: [null] });
    rig.observe('In', '05', 40 * ms);
    expect(rig.signal('out')).toMatchObject({ quality: 'invalid', observed_us: 30 * ms });
  });
});

describe('a processor with a period', () => {
  it('runs on the grid of its start, and not because of its inputs', () => {
    const rig = rigOf({ trigger: 'period', period_ms: 30 }).start(5 * ms);
    rig.observe('In', '05', 10 * ms);
    rig.runUntil(40 * ms);
    rig.run(111 * ms);
    rig.runUntil(125 * ms);
    expect(processor.seen.map(({ nowUs }) => nowUs / ms)).toEqual([5, 35, 111, 125]);
  });

  it('may read what depends on it, as it was', () => {
    const rig = rigOf({ trigger: 'period', period_ms: 30, inputs: ['twice'] });
    processor.script.push({ outputs: [1] }, { outputs: [2] });
    rig.start();
    rig.runUntil(60 * ms);
    expect(processor.seen.map(({ inputs }) => inputs[0])).toEqual([null, 2, 4]);
  });
});

describe('frames that a processor stages', () => {
  it(
    rule('up again', 'lose the error of a channel that is open again, also if there are none'),
    () => {
      const rig = rigOf().start();
      rig.disconnect('bus');
      expect(rig.instance.failed_tasks).toBe(2);
      rig.reconnect('bus');
      expect(rig.instance.failed_tasks).toBe(0);
    },
  );

  it(rule('request order', 'go out one after another for each task, as they were staged'), () => {
    const rig = rigOf().start();
    rig.acknowledges = false;
    processor.script.push({ items: [{ hex: '0102' }, { task: 1, hex: 'aa' }, { hex: '0304' }] });
    rig.observe('In', '05', 10 * ms);
    expect(rig.sent()).toEqual(['0102', 'aa']);
    expect(rig.task('One')).toMatchObject({ accepted: 1, pending: 1, queued_requests: 1 });
    rig.settle();
    rig.run();
    expect(rig.sent()).toEqual(['0102', 'aa', '0304']);
    expect(rig.instance).toMatchObject({ accepted: 3, queued_requests: 0, pending: 2, sent: 1 });
  });

  it('are tried again after 100 ms if they are refused, and keep their order', () => {
    const rig = rigOf().start();
    rig.refusal = 'queue_full';
    processor.script.push({ items: [{ hex: '0102' }, { hex: '0304' }] });
    rig.observe('In', '05', 10 * ms);
    expect(rig.task('One')).toMatchObject({ accepted: 0, queued_requests: 2 });
    rig.refusal = null;
    rig.runUntil(120 * ms);
    expect(rig.frames.map(({ data, atUs }) => [data, atUs / ms])).toEqual([
      ['0102', 110],
      ['0304', 110],
    ]);
  });

  it(rule('request room', 'are at most 64 for an instance, those under way included'), () => {
    const rig = rigOf().start();
    rig.acknowledges = false;
    for (let run = 0; run < 5; run++) processor.script.push({ items: items(run < 4 ? 16 : 1) });
    for (let run = 0; run < 5; run++) rig.observe('In', '05', run * ms);
    expect(processor.seen.map(({ room }) => room)).toEqual([16, 16, 16, 16, 16, 0]);
    expect(rig.instance).toMatchObject({
      accepted: 1,
      queued_requests: 63,
      processor_rejected_requests: 1,
    });
    expect(rig.signal('out')).toMatchObject({ quality: 'transform_error' });
    rig.settle();
    rig.run();
    processor.script.push({ items: items(1) });
    rig.observe('In', '05', 10 * ms);
    expect(rig.instance).toMatchObject({ accepted: 2, queued_requests: 63 });
  });

  it.each([
    ['there are more than 16', { items: items(17) }, 17],
    [
      'one is for a task that it has not declared',
      { items: [...items(2), { task: 2, hex: '00' }] },
      3,
    ],
    ['one is not as long as its message', { items: [...items(2), { hex: '01' }] }, 3],
    ['the run failed', { items: items(2), fails: true }, 2],
  ])(
    rule('rejected groups', 'are rejected with the outputs, all of them, if %s'),
    (_, run, rejected) => {
      const rig = rigOf().start();
      processor.script.push({ outputs: [1] }, { ...run, outputs: [2] });
      rig.observe('In', '05', 10 * ms);
      rig.observe('In', '06', 20 * ms);
      expect(rig.sent()).toEqual([]);
      expect(rig.instance).toMatchObject({
        queued_requests: 0,
        processor_rejected_requests: rejected,
      });
      expect(rig.signal('out')).toMatchObject({ value: '1', quality: 'transform_error' });
      expect(rig.signal('twice')).toMatchObject({ value: '2', quality: 'input_invalid' });
    },
  );

  it(rule('request counts', 'are cancelled by a stop, but for what is under way'), () => {
    const rig = rigOf().start();
    rig.acknowledges = false;
    processor.script.push({ items: items(5) });
    rig.observe('In', '05', 10 * ms);
    rig.stop();
    expect(rig.instance).toMatchObject({
      accepted: 1,
      queued_requests: 0,
      cancelled_requests: 4,
    });
    rig.settle();
    processor.script.push({ items: items(16) });
    rig.start(20 * ms);
    expect(rig.instance).toMatchObject({ accepted: 2, queued_requests: 15, cancelled_requests: 4 });
  });

  it('are opportunities of fault rules, and those that nothing is sent for are cancelled', () => {
    const rule = { task: 'One', enabled: true };
    const fault_rules = [
      { ...rule, id: 'drop', kind: 'drop', start: 2, count: 1 },
      { ...rule, id: 'flip', kind: 'xor_byte', start: 3, count: 1, byte_offset: 0, mask: 255 },
    ];
    const rig = rigOf({}, { fault_rules }).start();
    processor.script.push({ items: items(4) });
    rig.observe('In', '05', 10 * ms);
    rig.runUntil(20 * ms);
    expect(rig.sent()).toEqual(['0000', 'ff02', '0003']);
    expect(rig.task('One')).toMatchObject({
      accepted: 3,
      cancelled_requests: 1,
      queued_requests: 0,
      generated: 4,
      dropped: 1,
      injected: 1,
    });
  });

  it(
    rule(
      'request protection',
      'are protected when they are accepted, so that counters have no gaps',
    ),
    () => {
      const counter = { start_bit: 0, bit_length: 4, byte_order: 'intel', max: '15' };
      const checksum = { start_bit: 8, bit_length: 8, byte_order: 'intel', algorithm: 'xor8' };
      const codecs = [
        { id: 'u8', ...u8 },
        { id: 'guard', kind: 'e2e', profile: 'free', counter, checksum },
      ];
      const e2e = [{ id: 'guard', message: 'One', direction: 'protect', codec: 'guard' }];
      const rig = rigOf({}, { codecs, e2e }).start();
      rig.refusal = 'queue_full';
      processor.script.push({ items: [{ hex: '1000' }, { hex: '2000' }] });
      rig.observe('In', '05', 10 * ms);
      rig.refusal = null;
      rig.runUntil(200 * ms);
      expect(rig.sent()).toEqual(['1010', '2121']);
    },
  );

  it(rule('request message', 'have their message for themselves: nothing is bound to it'), () => {
    const bindings = [
      { id: 'in', signal: 'in', direction: 'rx', message: 'In', codec: 'u8', start_bit: 0 },
      { id: 'out', signal: 'out', direction: 'tx', message: 'One', codec: 'u8', start_bit: 0 },
    ];
    const text = JSON.stringify(project({}, { bindings }));
    expect(() => loadProject(Buffer.from(text))).toThrow(
      expect.objectContaining({
        code: 'invalid_project',
        details: expect.objectContaining({
          problems: [expect.objectContaining({ row: 'out', code: 'request_message' })],
        }),
      }),
    );
  });
});

describe('a set whose caller gives up while a processor runs', () => {
  const signals = [
    { id: 'in', type: 'uint64', producer: 'input' },
    { id: 'go', type: 'uint64', producer: 'software', initial: '1' },
    { id: 'out', type: 'uint64', producer: 'derived' },
    { id: 'twice', type: 'uint64', producer: 'derived' },
  ];
  const start = (): EngineRig => {
    processor.script.push({ outputs: [10] });
    const rig = rigOf({ inputs: ['go'] }, { signals }).start();
    rig.run(1 * ms);
    expect(rig.signal('twice')).toMatchObject({ value: '20' });
    return rig;
  };

  it(rule('one verdict', 'is undone before anything of it is sent'), () => {
    const rig = start();
    const verdict = newVerdict();
    processor.script.push(
      { outputs: [70], items: items(3), during: () => expect(withdraw(verdict)).toBe(true) },
      { outputs: [10] },
    );
    rig.set('go', '7', 5 * ms, verdict);
    rig.run(5 * ms);
    expect(processor.seen.map(({ inputs }) => inputs[0])).toEqual([1, 7, 1]);
    expect(rig.signal('go')).toMatchObject({ value: '1', quality: 'good' });
    expect(rig.signal('twice')).toMatchObject({ value: '20', quality: 'good' });
    expect(rig.sent()).toEqual([]);
    expect(rig.instance).toMatchObject({ queued_requests: 0, cancelled_requests: 3 });
    rig.stop();
    rig.start();
    expect(rig.signal('go')).toMatchObject({ value: '1' });
  });

  it(rule('one verdict', 'counts if it has taken effect before'), () => {
    const rig = start();
    const verdict = newVerdict();
    processor.script.push({ outputs: [70], items: items(1) });
    rig.set('go', '7', 5 * ms, verdict);
    rig.run(5 * ms);
    expect([withdraw(verdict), takeEffect(verdict)]).toEqual([false, true]);
    expect(rig.signal('twice')).toMatchObject({ value: '140' });
    expect(rig.sent()).toEqual(['0000']);
  });
});
