import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../src/base/clock/testing/fake-clock.ts';
import { Scheduler } from '../../../src/base/schedule/scheduler.ts';
import { FakeAlarm } from '../../../src/base/schedule/testing/fake-alarm.ts';
import { builtInBench } from '../../../src/bench/built-in-bench.ts';
import type { Channel } from '../../../src/bench/channel.ts';
import { ChannelTable } from '../../../src/bench/channel-table.ts';
import { Broker } from '../../../src/broker/broker.ts';
import { defaultRingSlots, slotsOf } from '../../../src/broker/ring-memory.ts';
import { DriverRegistry } from '../../../src/drivers/registry.ts';
import { frm2Id } from '../../../src/frame/frm2-codec.ts';
import { eventually } from '../../support/workbench.ts';
import { bundleThread, ThreadDriver } from './thread/thread-driver.ts';

const file = bundleThread();
const startUs = 5_000_000;
const nothing = new Uint8Array(0);

/** Channels of a driver that writes their records in another thread, without polling. */
describe('channels whose records another thread writes', () => {
  let clock: FakeClock;
  let driver: ThreadDriver;
  let table: ChannelTable;
  let zero: Channel;
  let one: Channel;

  beforeEach(async () => {
    const broker = new Broker();
    clock = new FakeClock({ startUs });
    driver = new ThreadDriver(file, broker, startUs);
    const scheduler = new Scheduler({
      clock,
      alarm: new FakeAlarm(clock),
      onError: (error) => {
        throw error;
      },
    });
    const context = { clock, scheduler, addresses: [], broker };
    const noReaders = async (): Promise<void> => undefined;
    table = new ChannelTable({
      broker,
      audience: { opening: noReaders, closed: noReaders },
      clock,
      scheduler,
      drivers: new DriverRegistry(() => context, { virtual: () => driver }),
      onDefect: (thrown) => {
        throw thrown;
      },
    });
    zero = await open(0);
    one = await open(1);
  });
  afterEach(async () => {
    await table.closeAll();
    await driver.close();
  });

  const bench = async () => builtInBench;
  const open = async (port: number): Promise<Channel> => {
    const { slot } = await table.open({ channel: `SIM00001/${port}` }, bench);
    const channel = table.channels.find((candidate) => candidate.slot === slot);
    if (!channel) throw new RangeError(`Slot ${slot} is empty`);
    return channel;
  };
  const pass = async (us: number): Promise<void> => {
    clock.advanceUs(us);
    await driver.call({ what: 'advance', us });
  };

  it('hand each frame to those who listen, and each outcome to its owner', async () => {
    const received: number[] = [];
    const outcomes: string[] = [];
    one.onFrame((record, at) => void received.push(frm2Id(record, at)));
    const lanes = ['a', 'b'].map((name) =>
      zero.outbox.open({ settled: (outcome) => void outcomes.push(`${name} ${outcome}`) }),
    );
    for (let id = 0; id < 3; id++) {
      for (const [index, lane] of lanes.entries()) lane.send(2 * id + index, 0, 0, nothing, 0, 0);
    }
    await pass(5_000);
    await eventually(async () => outcomes.length === 4 && received.length === 4);
    // The outbox sends this port four frames at a time, and continues after their outcomes.
    await pass(5_000);
    await eventually(async () => outcomes.length === 6 && received.length === 6);
    expect(received).toEqual([0, 1, 2, 3, 4, 5]);
    expect(outcomes).toEqual(['a sent', 'b sent', 'a sent', 'b sent', 'a sent', 'b sent']);
    expect(zero.stats()).toMatchObject({ tx_frames: 6, tx_pending: 0, overruns: 0 });
  });

  it('tell owners what failed between frames that were sent', async () => {
    const outcomes: string[] = [];
    const lane = zero.outbox.open({ settled: (outcome) => void outcomes.push(outcome) });
    const send = () => lane.send(1, 0, 0, nothing, 0, 0);
    send();
    await pass(1_000);
    send();
    await table.configure('0', { bitrate: 250_000 }, bench);
    await table.configure('0', { bitrate: 500_000 }, bench);
    send();
    await pass(1_000);
    await eventually(async () => outcomes.length === 3);
    expect(outcomes).toEqual(['sent', 'failed', 'sent']);
  });

  it('count the records that were overwritten before they could be heard', async () => {
    let received = 0;
    zero.onFrame(() => {
      received += 1;
    });
    const frames = 3 * defaultRingSlots;
    const done = new Int32Array(new SharedArrayBuffer(4));
    driver.post({ what: 'babble', slot: zero.slot, frames, done: done.buffer });
    // The bench thread is blocked for that time.
    Atomics.wait(done, 0, 0);
    await eventually(async () => received + zero.stats().overruns === frames);
    expect(received).toBeGreaterThan(0);
    expect(zero.stats().overruns).toBeGreaterThan(frames - defaultRingSlots - 1);
  });

  it('tell owners that the outcome of a frame is unknown if its record was among those', async () => {
    const outcomes: string[] = [];
    const lane = zero.outbox.open({ settled: (outcome) => void outcomes.push(outcome) });
    lane.send(1, 0, 0, nothing, 0, 0);
    lane.send(2, 0, 0, nothing, 0, 0);
    const frames = 2 * defaultRingSlots;
    const done = new Int32Array(new SharedArrayBuffer(4));
    driver.post({ what: 'advance', us: 1_000 });
    driver.post({ what: 'babble', slot: zero.slot, frames, done: done.buffer });
    Atomics.wait(done, 0, 0);
    // Time must pass here too, or no scheduler runs.
    await eventually(async () => {
      clock.advanceUs(1);
      return outcomes.length === 2;
    });
    expect(outcomes).toEqual(['unknown', 'unknown']);
    lane.send(3, 0, 0, nothing, 0, 0);
    await pass(1_000);
    await eventually(async () => outcomes.length === 3);
    expect(outcomes).toEqual(['unknown', 'unknown', 'sent']);
  });

  it('have their rings made larger by that thread', async () => {
    const sizes = () => table.entries.map(({ ring }) => slotsOf(ring.buffer));
    await table.growHistory(40_000);
    expect(sizes()).toEqual([65_536, 65_536]);
    const received: number[] = [];
    one.onFrame((record, at) => void received.push(frm2Id(record, at)));
    zero.outbox.open({}).send(7, 0, 0, nothing, 0, 0);
    await pass(1_000);
    await eventually(async () => received.length === 1);
  });
});
