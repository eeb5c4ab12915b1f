import { describe, expect, it } from 'vitest';
import { EngineRig } from './testing/engine-rig.ts';
import { type Rows, relayProject, together } from './testing/relay-project.ts';
import { rule } from './testing/rules.ts';

const ms = 1000;

const rigOf = (...changes: Rows[]): EngineRig => new EngineRig(relayProject(together(...changes)));
const onChange: Rows = { tx_tasks: [{ id: 'Cluster', policy: 'on_change' }] };

describe('what was accepted', () => {
  it(rule('frozen frames', 'goes out as it was, and what came meanwhile in the next frame'), () => {
    const rig = rigOf(onChange);
    rig.acknowledges = false;
    rig.start();
    rig.observe('Engine', '05 00', 1 * ms);
    rig.observe('Engine', '06 00', 2 * ms);
    expect(rig.sent()).toEqual(['0500']);
    rig.settle(null, 3 * ms);
    rig.run(3 * ms);
    expect(rig.sent()).toEqual(['0500', '0600']);
  });

  it(rule('outcome sum', 'is sent, failed or pending, for the task and the instance alike'), () => {
    const rig = rigOf();
    rig.acknowledges = false;
    rig.start();
    const holds = () => {
      for (const { accepted, sent, failed, pending } of [rig.task('Cluster'), rig.instance]) {
        expect(sent + failed + pending).toBe(accepted);
      }
    };
    for (let period = 1; period < 20; period++) {
      holds();
      rig.settle(period % 3 === 0 ? 'tx_failed' : null, period * 20 * ms - 1);
      holds();
      rig.refusal = period % 5 === 0 ? 'queue_full' : null;
      rig.run(period * 20 * ms);
    }
    holds();
    expect(rig.instance).toMatchObject({ accepted: 17, sent: 11, failed: 5, pending: 1 });
  });

  it(
    rule(
      'unconfirmed',
      'and has no outcome when the transport lets go is unconfirmed, and stays pending',
    ),
    () => {
      const rig = rigOf();
      rig.acknowledges = false;
      rig.start();
      rig.stop();
      expect(rig.isInFlight).toBe(true);
      expect(rig.task('Cluster')).toMatchObject({ pending: 1, unconfirmed: 0 });
      rig.release();
      expect(rig.isInFlight).toBe(false);
      expect(rig.task('Cluster')).toMatchObject({
        accepted: 1,
        sent: 0,
        failed: 0,
        pending: 1,
        unconfirmed: 1,
      });
      rig.start(50 * ms);
      rig.stop();
      rig.release();
      expect(rig.task('Cluster')).toMatchObject({ accepted: 2, pending: 2, unconfirmed: 2 });
    },
  );

  it('has its outcome counted also after the stop', () => {
    const rig = rigOf();
    rig.acknowledges = false;
    rig.start();
    rig.stop();
    rig.settle(null, 5 * ms);
    rig.release();
    rig.run(100 * ms);
    expect(rig.task('Cluster')).toMatchObject({ accepted: 1, sent: 1, pending: 0, unconfirmed: 0 });
  });
});

describe('coalesced states', () => {
  it(
    rule('coalesced', 'are those that were replaced by a later round before they were accepted'),
    () => {
      const rig = rigOf().start();
      rig.observe('Engine', '01 00', 1 * ms);
      expect(rig.task('Cluster').coalesced).toBe(0);
      rig.observe('Engine', '02 00', 2 * ms);
      expect(rig.task('Cluster').coalesced).toBe(1);
      rig.observe('Engine', '02 00', 3 * ms);
      expect(rig.task('Cluster').coalesced).toBe(1);
      rig.runUntil(20 * ms);
      rig.observe('Engine', '03 00', 21 * ms);
      expect(rig.instance.coalesced).toBe(1);
    },
  );

  it(rule('coalesced', 'are none within one round'), () => {
    const rig = rigOf().start();
    for (const hex of ['01 00', '02 00', '03 00']) rig.receive('Engine', hex, 1 * ms);
    rig.run(2 * ms);
    rig.runUntil(20 * ms);
    expect(rig.task('Cluster').coalesced).toBe(0);
    expect(rig.sent()).toEqual(['0000', '0300']);
  });
});

describe('a task that cannot send', () => {
  it(rule('task errors', 'has the error of the transport until a frame of it was sent'), () => {
    const rig = rigOf();
    rig.refusal = 'listen_only';
    rig.start();
    expect(rig.task('Cluster')).toMatchObject({
      accepted: 0,
      failed: 0,
      error: {
        code: 'listen_only',
        message: expect.any(String),
        timestamp_us: 1_700_000_000_000_000,
      },
    });
    rig.acknowledges = false;
    rig.refusal = null;
    rig.run(20 * ms);
    expect(rig.task('Cluster').error).toMatchObject({ code: 'listen_only' });
    rig.settle(null);
    expect(rig.task('Cluster').error).toBeNull();
  });

  it(
    rule('failed tasks', 'counts among the failed tasks of the instance, once, and others go on'),
    () => {
      const rig = rigOf({
        messages: [
          { id: 'Other', endpoint: 'in', direction: 'tx', can_id: 1, length: 1, period_ms: 20 },
        ],
        tx_tasks: [{ id: 'Other', message: 'Other' }],
      }).start();
      rig.disconnect('out', 'device_lost');
      rig.disconnect('out', 'device_lost');
      expect(rig.instance.failed_tasks).toBe(1);
      expect([rig.task('Cluster').error?.code, rig.task('Other').error]).toEqual([
        'device_lost',
        null,
      ]);
      rig.runUntil(20 * ms);
      expect(rig.instance.failed_tasks).toBe(0);
      expect(rig.sent('Other')).toHaveLength(2);
    },
  );

  it(rule('up again', 'is over with the endpoint, and a state that was sent stays sent'), () => {
    const rig = rigOf(onChange).start();
    rig.observe('Engine', '05 00', 1 * ms);
    rig.disconnect('out');
    rig.runUntil(200 * ms);
    expect(rig.sent()).toEqual(['0500']);
    expect(rig.task('Cluster').error).toMatchObject({ code: 'channel_not_open' });
    rig.reconnect('out');
    expect([rig.task('Cluster').error, rig.instance.failed_tasks]).toEqual([null, 0]);
    rig.runUntil(250 * ms);
    expect(rig.sent()).toEqual(['0500']);
    rig.observe('Engine', '06 00', 251 * ms);
    expect(rig.sent()).toEqual(['0500', '0600']);
  });

  it(rule('up again', 'is over with the endpoint where there is nothing to send'), () => {
    const rig = rigOf(onChange).start();
    rig.disconnect('out', 'device_lost');
    expect(rig.instance.failed_tasks).toBe(1);
    rig.reconnect('in');
    expect(rig.instance.failed_tasks).toBe(1);
    rig.reconnect('out');
    rig.runUntil(500 * ms);
    expect([rig.sent(), rig.instance.failed_tasks]).toEqual([[], 0]);
  });

  it(rule('up again', 'of a loss is over with the next start, and no other error'), () => {
    const rig = rigOf(onChange).start();
    rig.disconnect('out');
    rig.stop();
    rig.start(1000 * ms);
    expect(rig.instance.failed_tasks).toBe(0);
    rig.acknowledges = false;
    rig.observe('Engine', '05 00', 1001 * ms);
    rig.settle('tx_failed', 1002 * ms);
    rig.stop();
    rig.start(3000 * ms);
    expect(rig.task('Cluster').error).toMatchObject({ code: 'tx_failed' });
  });

  it('leaves to its outcome what is under way when an endpoint is up again', () => {
    const rig = rigOf(onChange).start();
    rig.acknowledges = false;
    rig.observe('Engine', '05 00', 1 * ms);
    rig.disconnect('out');
    rig.reconnect('out');
    rig.settle(null, 2 * ms);
    rig.runUntil(290 * ms);
    expect([rig.sent(), rig.task('Cluster').error]).toEqual([['0500'], null]);
  });
});
