import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { BusbarError, type ErrorRecord } from '../../base/errors/busbar-error.ts';
import { Scheduler } from '../../base/schedule/scheduler.ts';
import { FakeAlarm } from '../../base/schedule/testing/fake-alarm.ts';
import { Broker } from '../../broker/broker.ts';
import type { DriverContext } from '../../drivers/driver.ts';
import type { CanChannel } from '../../drivers/driver-channel.ts';
import { DriverRegistry } from '../../drivers/registry.ts';
import {
  createFaultyDriver,
  type FaultyVirtualDriver,
} from '../../drivers/virtual/testing/virtual-faults.ts';
import type { Frm2Event } from '../../frame/frm2-event.ts';
import type { Bench } from '../bench-record.ts';
import { builtInBench } from '../built-in-bench.ts';
import type { Channel } from '../channel.ts';
import { type ChannelAudience, type ChannelEntry, ChannelTable } from '../channel-table.ts';
import { recordsOf } from './ring-records.ts';

/** Readers that record their calls, and fail or wait on request. */
export class RecordingAudience implements ChannelAudience {
  readonly log: string[] = [];
  readonly entries = new Map<number, ChannelEntry>();
  before: (what: string) => Promise<void> = async () => undefined;

  async opening(entry: ChannelEntry): Promise<void> {
    this.log.push(`opening ${entry.slot}`);
    this.entries.set(entry.slot, entry);
    await this.before(`opening ${entry.slot}`);
  }

  async closed(slot: number): Promise<void> {
    this.log.push(`closed ${slot}`);
    this.entries.delete(slot);
    await this.before(`closed ${slot}`);
  }
}

/** A bench with names and networks of all kinds. */
export const sampleBench: Bench = {
  ...builtInBench,
  devices: [
    { driver: 'virtual', address: 'SIM00001', ports: { 0: 'engine', 1: 'gearbox' } },
    { driver: 'virtual', address: 'GONE0001', ports: { 0: 'missing' } },
    { driver: 'other', address: 'SIM00001', ports: { 2: 'elsewhere' } },
  ],
  networks: {
    powertrain: { channel: 'SIM00001/0' },
    body: { channel: 'sim-0000-0001/4' },
    nowhere: { channel: 'GONE0001/7' },
    spare: { channel: null },
    plc: { tcp: { host: 'plc', port: 502 } },
  },
};

export const virtualSerial = 'SIM00001';
export const virtualUid = 'sim-0000-0001';

/** A channel table on the virtual bench, with a clock controlled by the test. */
export class TableRig {
  readonly clock = new FakeClock({ startUs: 5_000_000 });
  readonly scheduler: Scheduler;
  readonly broker = new Broker();
  readonly audience = new RecordingAudience();
  readonly defects: unknown[] = [];
  readonly driver: FaultyVirtualDriver;
  readonly table: ChannelTable;
  bench: Bench = sampleBench;
  benchQuestions = 0;
  readonly benchSource = async (): Promise<Bench> => {
    this.benchQuestions += 1;
    return this.bench;
  };

  constructor() {
    const { clock, broker, audience } = this;
    this.scheduler = new Scheduler({
      clock,
      alarm: new FakeAlarm(clock),
      onError: (error) => this.defects.push(error),
    });
    const { scheduler } = this;
    const context: DriverContext = { clock, scheduler, addresses: [], broker };
    this.driver = createFaultyDriver(context);
    this.table = new ChannelTable({
      broker,
      audience,
      clock,
      scheduler: this.scheduler,
      drivers: new DriverRegistry(() => context, { virtual: () => this.driver }),
      onDefect: (thrown) => this.defects.push(thrown),
    });
  }

  /** Opens a port by its number, without a name by default, and returns its channel. */
  async open(port: number, more: object = {}): Promise<Channel> {
    const { slot } = await this.table.open(
      { channel: `${virtualSerial}/${port}`, ...more },
      this.benchSource,
    );
    return this.channelIn(slot);
  }

  channelIn(slot: number): Channel {
    const channel = this.table.channels.find((candidate) => candidate.slot === slot);
    if (!channel) throw new RangeError(`Slot ${slot} is empty`);
    return channel;
  }

  /** Records in the ring of a channel. */
  records(slot: number): Frm2Event[] {
    const entry = this.audience.entries.get(slot);
    if (!entry) throw new RangeError(`The audience has no slot ${slot}`);
    return recordsOf(entry.ring);
  }
}

export const canOf = ({ hardware }: Channel): CanChannel => {
  if (hardware.bus === 'lin') throw new TypeError('This is a LIN channel');
  return hardware as CanChannel;
};

/** The error of a rejected promise. */
export const refusalOf = async (promise: Promise<unknown>): Promise<ErrorRecord> => {
  const answer = await promise.then(
    (value) => ({ value }),
    (thrown: unknown) => BusbarError.from(thrown).toRecord(),
  );
  if ('value' in answer) throw new RangeError(`Was not refused: ${JSON.stringify(answer.value)}`);
  return answer;
};
