import { describe, expect, it } from 'vitest';
import { loadProject } from '../project/load-project.ts';
import { EngineRig } from './testing/engine-rig.ts';
import {
  checking,
  protecting,
  type Rows,
  relayProject,
  together,
} from './testing/relay-project.ts';
import { rule } from './testing/rules.ts';

const ms = 1000;

const rigOf = (...changes: Rows[]): EngineRig => new EngineRig(relayProject(together(...changes)));

describe('the counter of a protected task', () => {
  it(rule('accepted counters', 'does not move with frames that are refused'), () => {
    const rig = rigOf(protecting).start();
    rig.refusal = 'bus_off';
    rig.runUntil(60 * ms);
    rig.refusal = null;
    rig.runUntil(100 * ms);
    expect(rig.sent()).toEqual(['000000', '000101', '000202']);
  });

  it(rule('accepted counters', 'has moved on also if the frame fails afterwards'), () => {
    const rig = rigOf(protecting);
    rig.acknowledges = false;
    rig.start();
    rig.settle('tx_failed', 1 * ms);
    rig.runUntil(20 * ms);
    expect(rig.sent()).toEqual(['000000', '000101']);
  });

  it(
    rule(
      'counter over stop',
      'goes on after stop and start, and begins anew in an instance that is loaded',
    ),
    () => {
      const rig = rigOf(protecting).start();
      rig.runUntil(40 * ms);
      rig.stop();
      rig.start(1000 * ms);
      expect(rig.sent()).toEqual(['000000', '000101', '000202', '000303']);
      expect(rigOf(protecting).start().sent()).toEqual(['000000']);
    },
  );

  it('begins with the counter that its codec says, and wraps behind its largest', () => {
    const rig = rigOf(protecting, { codecs: [{ id: 'guard', counter_initial: '13' }] }).start();
    rig.runUntil(60 * ms);
    expect(rig.sent()).toEqual(['000d0d', '000e0e', '000000', '000101']);
  });

  it(rule('one protection', 'is one for a message: more are refused, of its PDUs too'), () => {
    const more = (row: object): (() => void) => {
      const text = JSON.stringify(
        relayProject(
          together(protecting, {
            pdus: [{ id: 'part', message: 'Cluster', byte_offset: 0, length: 3 }],
            e2e: [{ id: 'more', direction: 'protect', codec: 'guard', ...row }],
          }),
        ),
      );
      return () => loadProject(Buffer.from(text));
    };
    for (const row of [{ message: 'Cluster' }, { pdu: 'part' }]) {
      expect(more(row)).toThrow(expect.objectContaining({ code: 'unsupported_gateway_feature' }));
    }
  });

  it(
    rule('independent protections', 'has nothing to do with the check of the same identifier'),
    () => {
      const rig = rigOf(protecting, checking, {
        endpoints: [{ id: 'out', network: 'in' }],
        messages: [{ id: 'Cluster', can_id: 256 }],
      }).start();
      rig.observe('Engine', '05 09 0c', 1 * ms);
      rig.observe('Engine', '06 0a ff', 2 * ms);
      rig.runUntil(40 * ms);
      expect(rig.sent()).toEqual(['000000', '050104', '050207']);
      expect(rig.instance.rejected_frames.e2e).toBe(1);
    },
  );
});

describe('start and stop', () => {
  it(rule('statistics', 'keep what was counted, and what software has set'), () => {
    const rig = rigOf({
      signals: [{ id: 'setpoint', type: 'uint64', producer: 'software', initial: '1' }],
    }).start();
    rig.observe('Engine', '05 00', 1 * ms);
    rig.observe('Engine', '05', 2 * ms);
    rig.set('setpoint', '9', 3 * ms);
    rig.runUntil(40 * ms);
    const before = rig.task('Cluster');
    rig.stop();
    rig.run(1000 * ms);
    expect(rig.task('Cluster')).toEqual(before);
    rig.start(2000 * ms);
    expect(rig.task('Cluster')).toMatchObject({
      accepted: before.accepted + 1,
      sent: before.sent + 1,
      missed: 0,
    });
    expect(rig.task('Cluster').tick_to_submit_us.count).toBe(before.tick_to_submit_us.count + 1);
    expect(rig.instance.rejected_frames.short).toBe(1);
    expect(rig.signal('setpoint')).toMatchObject({
      value: '9',
      quality: 'good',
      observed_us: 3 * ms,
    });
    expect(rig.signal('speed')).toMatchObject({
      value: null,
      quality: 'initial',
      observed_us: null,
    });
    expect(rig.sent().at(-1)).toBe('0000');
  });

  it('take nothing in between: neither frames nor time', () => {
    const rig = rigOf().start();
    rig.stop();
    rig.receive('Engine', '05 00', 1 * ms);
    expect(rig.nextDeadlineUs).toBe(Number.POSITIVE_INFINITY);
    rig.start(10 * ms);
    expect(rig.signal('speed').quality).toBe('initial');
  });

  it('keep what was set just before the stop, which no round has seen', () => {
    const rig = rigOf({
      signals: [{ id: 'setpoint', type: 'uint64', producer: 'software', initial: '1' }],
    }).start();
    rig.set('setpoint', '4', 5 * ms);
    rig.stop();
    expect(rig.signal('setpoint')).toMatchObject({ value: '4', observed_us: 5 * ms });
    rig.start(10 * ms);
    expect(rig.signal('setpoint')).toMatchObject({ value: '4', observed_us: 5 * ms });
  });

  it('keep what is set while nothing runs', () => {
    const rig = rigOf({
      signals: [{ id: 'setpoint', type: 'uint64', producer: 'software' }],
    }).start();
    rig.stop();
    rig.set('setpoint', '4', 5 * ms);
    expect(rig.signal('setpoint')).toMatchObject({ value: '4', quality: 'good' });
    rig.start(10 * ms);
    expect(rig.signal('setpoint')).toMatchObject({
      value: '4',
      quality: 'good',
      observed_us: 5 * ms,
    });
  });
});
