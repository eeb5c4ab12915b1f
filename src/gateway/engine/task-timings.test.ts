import { describe, expect, it } from 'vitest';
import { EngineRig } from './testing/engine-rig.ts';
import { relayProject } from './testing/relay-project.ts';
import { rule } from './testing/rules.ts';

const ms = 1000;

const empty = { count: 0, max: 0, window: 0, p50: 0, p95: 0, p99: 0 };
const one = (us: number) => ({ count: 1, max: us, window: 1, p50: us, p95: us, p99: us });

describe('timings of a task', () => {
  it(rule('source age', 'have the age of the oldest source that is valid and in the frame'), () => {
    const rig = new EngineRig(
      relayProject({
        signals: [
          { id: 'page', type: 'uint64', producer: 'software' },
          { id: 'old', type: 'uint64', producer: 'software' },
          { id: 'older', type: 'uint64', producer: 'software' },
          { id: 'fixed', type: 'uint64', producer: 'constant', initial: '1' },
        ],
        messages: [{ id: 'Cluster', length: 5 }],
        bindings: [
          ...['page', 'fixed', 'old', 'older'].map((signal, index) => ({
            id: `${signal}.tx`,
            signal,
            direction: 'tx',
            message: 'Cluster',
            codec: 'u8',
            start_bit: 8 + 8 * index,
            // Signals on another page do not count.
            ...(signal === 'older' && { mux: { selector: 'page.tx', values: ['9'] } }),
          })),
        ],
      }),
    );
    rig.set('older', '1', 0);
    rig.set('old', '1', 4 * ms);
    rig.set('page', '1', 6 * ms);
    rig.start(10 * ms);
    // The received signal has not arrived yet, and the constant was never observed.
    expect(rig.task('Cluster').source_age_at_submit_us).toEqual(one(6 * ms));
    rig.submitUs = 70;
    rig.set('old', '2', 11 * ms);
    rig.observe('Engine', '05 00', 5 * ms);
    rig.set('page', '2', 12 * ms);
    rig.run(30 * ms);
    expect(rig.task('Cluster').source_age_at_submit_us).toMatchObject({
      count: 2,
      max: 25 * ms + 70,
    });
  });

  it(rule('no source, no age', 'have no age where nothing valid was observed'), () => {
    const rig = new EngineRig(relayProject()).start();
    rig.runUntil(60 * ms);
    expect(rig.task('Cluster')).toMatchObject({
      accepted: 4,
      source_age_at_submit_us: empty,
      tick_to_submit_us: { count: 4 },
    });
    rig.observe('Engine', '05 00', 70 * ms);
    rig.runUntil(80 * ms);
    expect(rig.task('Cluster').source_age_at_submit_us).toEqual(one(10 * ms));
    rig.disconnect('in');
    rig.runUntil(100 * ms);
    expect(rig.task('Cluster').source_age_at_submit_us.count).toBe(1);
  });

  it(
    rule('time to submit', 'measure from the begin of the round, not from when the frame was due'),
    () => {
      const rig = new EngineRig(relayProject());
      rig.submitUs = 45;
      rig.start();
      expect(rig.task('Cluster').tick_to_submit_us).toEqual(one(45));
      rig.run(33 * ms);
      expect(rig.task('Cluster')).toMatchObject({
        last_lateness_us: 13 * ms,
        tick_to_submit_us: { count: 2, max: 45 },
      });
    },
  );

  it(rule('completion wait', 'measure from acceptance to outcome, whatever that is'), () => {
    const rig = new EngineRig(relayProject());
    rig.acknowledges = false;
    rig.submitUs = 100;
    rig.start();
    expect(rig.task('Cluster').completion_wait_us).toEqual(empty);
    rig.settle(null, 350);
    expect(rig.task('Cluster').completion_wait_us).toEqual(one(250));
    rig.run(20 * ms);
    rig.settle('tx_failed', 20 * ms + 1100);
    expect(rig.task('Cluster').completion_wait_us).toMatchObject({ count: 2, max: 1000 });
  });

  it(
    rule('percentiles', 'are nearest ranks over the latest 64; count and maximum are of all'),
    () => {
      const rig = new EngineRig(relayProject());
      rig.submitUs = 5000;
      rig.start();
      // 1 to 100 microseconds: the latest 64 are 37 to 100.
      for (let us = 1; us <= 100; us++) {
        rig.submitUs = us;
        rig.run(20 * ms * us);
      }
      expect(rig.task('Cluster').tick_to_submit_us).toEqual({
        count: 101,
        max: 5000,
        window: 64,
        p50: 68,
        p95: 97,
        p99: 100,
      });
    },
  );

  it(rule('no waits of Modbus', 'have nothing to say of queues and protocols on CAN'), () => {
    const rig = new EngineRig(relayProject()).start();
    rig.runUntil(100 * ms);
    expect(rig.task('Cluster')).toMatchObject({ queue_wait_us: empty, protocol_wait_us: empty });
  });
});
