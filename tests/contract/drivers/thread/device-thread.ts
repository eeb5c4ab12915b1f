import { parentPort, workerData } from 'node:worker_threads';
import { FakeClock } from '../../../../src/base/clock/testing/fake-clock.ts';
import { BusbarError } from '../../../../src/base/errors/busbar-error.ts';
import { Scheduler } from '../../../../src/base/schedule/scheduler.ts';
import { FakeAlarm } from '../../../../src/base/schedule/testing/fake-alarm.ts';
import { BrokerMemory } from '../../../../src/broker/broker-memory.ts';
import { Publisher } from '../../../../src/broker/publisher.ts';
import type { RingHandle } from '../../../../src/broker/ring-memory.ts';
import { RingWriter } from '../../../../src/broker/ring-writer.ts';
import type { ChannelSink } from '../../../../src/drivers/channel-sink.ts';
import { busStates } from '../../../../src/drivers/channel-stats.ts';
import type { CanChannel } from '../../../../src/drivers/driver-channel.ts';
import { createFaultyDriver } from '../../../../src/drivers/virtual/testing/virtual-faults.ts';
import { frm2TxNumber, writeFrm2 } from '../../../../src/frame/frm2-codec.ts';
import { busCode, eventKindCode } from '../../../../src/frame/frm2-layout.ts';
import { type Command, statsFields, type ThreadData, type Told } from './messages.ts';

const { memory, writer, startUs } = workerData as ThreadData;
const publisher = new Publisher(new BrokerMemory(memory), writer);
const clock = new FakeClock({ startUs });
const scheduler = new Scheduler({
  clock,
  alarm: new FakeAlarm(clock),
  onError: (error) => {
    throw error;
  },
});
const driver = createFaultyDriver({
  clock,
  scheduler,
  addresses: [],
  broker: {
    memory: { buffer: memory },
    claimWriter: () => writer,
    releaseWriter: () => undefined,
  },
});

const report = (message: Told): void => parentPort?.postMessage(message);

interface OpenPort {
  readonly channel: CanChannel;
  readonly writer: RingWriter;
  readonly stats: Float64Array;
}

const ports = new Map<number, OpenPort>();

/**
 * Writes records here, in the thread that owns the ring; other reports are sent to the bench as
 * messages.
 */
const sinkOf = (ring: RingHandle, records: RingWriter, settled: Int32Array): ChannelSink => {
  const slot = ring.channel;
  let at = 0;
  return {
    channel: slot,
    ring,
    get view() {
      return records.view;
    },
    reserve: () => {
      at = records.reserve();
      return at;
    },
    offsetOf: (index) => records.offsetOf(index),
    commit: () => {
      const number = frm2TxNumber(records.view, at);
      records.commit();
      if (number > 0) Atomics.store(settled, 0, number);
    },
    drain: () => undefined,
    failed: (frames, last, timestampUs) => {
      Atomics.store(settled, 0, last);
      report({ slot, what: 'failed', values: [frames, last, timestampUs] });
    },
    outcomesDropped: () => undefined,
    stateChanged: (state, timestampUs) => {
      report({ slot, what: 'state', values: [busStates.indexOf(state), timestampUs] });
    },
    lost: () => report({ slot, what: 'lost', values: [] }),
    returned: () => report({ slot, what: 'returned', values: [] }),
  };
};

const portIn = (slot: number): OpenPort => {
  const port = ports.get(slot);
  if (!port) throw new RangeError(`Slot ${slot} is not open`);
  return port;
};

/** Publishes invented frames at full speed. */
const babble = ({ writer: records }: OpenPort, frames: number, done: Int32Array): void => {
  const nothing = new Uint8Array(0);
  for (let id = 0; id < frames; id++) {
    const at = records.reserve();
    const { view, channel } = records;
    writeFrm2(
      view,
      at,
      busCode.can,
      eventKindCode.rx_frame,
      channel,
      id & 0x7ff,
      0,
      0,
      nothing,
      0,
      0,
    );
    records.commit();
  }
  Atomics.store(done, 0, 1);
  Atomics.notify(done, 0);
};

const run = async (command: Command): Promise<unknown> => {
  switch (command.what) {
    case 'devices':
      return driver.devices();
    case 'open': {
      const { sn, port, settings, ring } = command;
      const records = new RingWriter(publisher, ring);
      const sink = sinkOf(ring, records, new Int32Array(command.settled));
      const channel = await driver.open(sn, port, settings, sink);
      if (channel.bus === 'lin') throw new TypeError('This driver has no LIN');
      ports.set(ring.channel, { channel, writer: records, stats: new Float64Array(command.stats) });
      return { settings: channel.settings, capabilities: channel.capabilities, bus: channel.bus };
    }
    case 'send': {
      const { id, flags, dlc, data, deadlineUs, number } = command;
      const { channel } = portIn(command.slot);
      const result = channel.send(id, flags, dlc, data, 0, data.length, deadlineUs);
      // The bench has already accepted it, based on its own state.
      if (result !== 'accepted') {
        report({ slot: command.slot, what: 'failed', values: [1, number, clock.unixUs()] });
      }
      return undefined;
    }
    case 'configure': {
      const { channel } = portIn(command.slot);
      await channel.configure(command.change);
      return channel.settings;
    }
    case 'recover':
      return portIn(command.slot).channel.recover();
    case 'close': {
      const port = ports.get(command.slot);
      ports.delete(command.slot);
      return port?.channel.close();
    }
    case 'grow':
      return portIn(command.slot).writer.grow(command.slots);
    case 'advance':
      return clock.advanceUs(command.us);
    case 'lose':
      return driver.faults.loseDevice();
    case 'return':
      return driver.faults.returnDevice();
    case 'break':
      return driver.faults.bitErrors(command.port, command.attempts);
    case 'babble':
      return babble(portIn(command.slot), command.frames, new Int32Array(command.done));
  }
};

const publishStats = (): void => {
  for (const { channel, stats } of ports.values()) {
    const now = { ...channel.stats() };
    const values = { ...now, busState: busStates.indexOf(now.busState) };
    for (const [index, field] of statsFields.entries()) stats[index] = values[field];
  }
};

// One after the other: a command may wait for the previous one.
let turn = Promise.resolve();
parentPort?.on('message', ({ call, command }: { call: number; command: Command }) => {
  turn = turn.then(async () => {
    const answer = await run(command).then(
      (value) => ({ value }),
      (thrown: unknown) => ({ error: BusbarError.from(thrown).toRecord() }),
    );
    publishStats();
    if (call > 0) report({ call, ...answer });
  });
});
