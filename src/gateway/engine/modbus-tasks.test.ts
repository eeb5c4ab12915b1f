import { describe, expect, it } from 'vitest';
import { EngineRig } from './testing/engine-rig.ts';
import { plantProject } from './testing/plant-project.ts';
import { rule } from './testing/rules.ts';

const ms = 1000;

const start = (): EngineRig => {
  const rig = new EngineRig(plantProject());
  rig.acknowledges = false;
  return rig.start();
};

describe('a task on Modbus', () => {
  it(rule('write group', 'writes all of its resources by one request where they touch'), () => {
    const rig = start();
    expect(rig.groups('Drive')).toMatchObject([
      [{ kind: 'write', request: { kind: 'write_registers', address: 1, count: 3 } }],
    ]);
    rig.set('speed', '5');
    rig.run(1 * ms);
    expect(rig.sent('Drive')).toEqual(['000000000000']);
    rig.settle(null, 2 * ms);
    rig.settle(null, 2 * ms);
    rig.run(3 * ms);
    expect(rig.sent('Drive')).toEqual(['000000000000', '000500000000']);
  });

  it(rule('bits of a word', 'reads a word before it writes its bits'), () => {
    const rig = start();
    expect(rig.groups('Switch')).toEqual([
      [
        {
          kind: 'read_modify_write',
          reads: [{ kind: 'read_registers', function: 3, address: 30, count: 1 }],
          address: 30,
          masks: Uint16Array.of(0x0201),
          words: Uint16Array.of(0x0200),
        },
      ],
    ]);
  });

  it(rule('no split values', 'writes a value of several registers at once'), () => {
    const rig = start();
    rig.settle();
    rig.set('limit', '-2');
    rig.run(1 * ms);
    expect(rig.groups('Drive').at(-1)).toMatchObject([
      { request: { address: 1, count: 3, data: Uint8Array.of(0, 0, 0xff, 0xff, 0xff, 0xfe) } },
    ]);
  });

  it('sends the validity of a value also where another task does', () => {
    const rig = start();
    expect(rig.sent('Guard')).toEqual([]);
    rig.set('limit', '4');
    rig.run(1 * ms);
    expect(rig.sent('Guard')).toEqual(['01']);
  });

  it(rule('refused while down', 'is refused without being counted as accepted or failed'), () => {
    const rig = start();
    rig.settle(null, 1 * ms);
    rig.refusal = 'tx_failed';
    rig.set('speed', '5');
    rig.run(2 * ms);
    expect(rig.task('Drive')).toMatchObject({
      accepted: 1,
      failed: 0,
      error: { code: 'tx_failed' },
    });
    rig.refusal = null;
    rig.runUntil(102 * ms);
    expect(rig.task('Drive')).toMatchObject({ accepted: 2, failed: 0 });
  });

  it(
    rule('up again', 'on change has no error, and nothing to write, when the link is there again'),
    () => {
      const rig = start();
      rig.acknowledges = true;
      rig.settle(null, 1 * ms);
      rig.settle(null, 1 * ms);
      rig.set('speed', '5');
      rig.run(2 * ms);
      const before = rig.sent('Drive').length;
      rig.disconnect('pump', 'modbus_unreachable');
      rig.runUntil(50 * ms);
      expect(rig.task('Drive').error).toMatchObject({ code: 'modbus_unreachable' });
      rig.reconnect('pump');
      rig.runUntil(60 * ms);
      expect(rig.sent('Drive')).toHaveLength(before);
      expect(rig.instance.failed_tasks).toBe(0);
    },
  );

  it(rule('waits of Modbus', 'is measured while it waits for the link and while it has it'), () => {
    const rig = start();
    rig.started('Drive', 3 * ms);
    rig.settle(null, 10 * ms);
    expect(rig.task('Drive')).toMatchObject({
      queue_wait_us: { count: 1, max: 3 * ms },
      protocol_wait_us: { count: 1, max: 7 * ms },
      completion_wait_us: { count: 1, max: 10 * ms },
    });
  });

  it(rule('waits of Modbus', 'is not measured with a link that it never had'), () => {
    const rig = start();
    rig.settle('tx_failed', 10 * ms);
    expect(rig.task('Drive')).toMatchObject({
      queue_wait_us: { count: 0 },
      protocol_wait_us: { count: 0 },
      completion_wait_us: { count: 1 },
    });
  });
});
