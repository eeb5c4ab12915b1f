import { FakeClock } from '../../../base/clock/testing/fake-clock.ts';
import { Scheduler } from '../../../base/schedule/scheduler.ts';
import { FakeAlarm } from '../../../base/schedule/testing/fake-alarm.ts';
import { Broker } from '../../../broker/broker.ts';
import type { OpenSettings } from '../../channel-settings.ts';
import type { CanChannel, LinChannel } from '../../driver-channel.ts';
import type { SendResult } from '../../send-result.ts';
import { RecordingSink } from '../../testing/recording-sink.ts';
import { createFaultyDriver, type FaultyVirtualDriver } from './virtual-faults.ts';

const unixStartUs = 1_700_000_000_000_000;

export interface OpenCan {
  readonly channel: CanChannel;
  readonly events: RecordingSink;
}

export interface OpenLin {
  readonly channel: LinChannel;
  readonly events: RecordingSink;
}

/** The virtual bench with a clock controlled by the test. */
export class VirtualRig {
  readonly clock = new FakeClock({ startUs: 5_000_000, unixStartUs });
  readonly scheduler: Scheduler;
  readonly driver: FaultyVirtualDriver;

  constructor() {
    const { clock } = this;
    this.scheduler = new Scheduler({
      clock,
      alarm: new FakeAlarm(clock),
      onError: (error) => {
        throw error;
      },
    });
    this.driver = createFaultyDriver({
      clock,
      scheduler: this.scheduler,
      addresses: [],
      broker: new Broker(),
    });
  }

  async openCan(port: number, settings: OpenSettings = {}): Promise<OpenCan> {
    const events = new RecordingSink();
    const channel = await this.driver.open('SIM00001', port, settings, events);
    if (channel.bus === 'lin') throw new TypeError(`Port ${port} is a LIN port`);
    return { channel, events };
  }

  async openLin(port: number, settings: OpenSettings = {}): Promise<OpenLin> {
    const events = new RecordingSink();
    const channel = await this.driver.open('SIM00001', port, settings, events);
    if (channel.bus !== 'lin') throw new TypeError(`Port ${port} is a CAN port`);
    return { channel, events };
  }

  advanceUs(deltaUs: number): void {
    this.clock.advanceUs(deltaUs);
  }

  /** Time of an event, in microseconds since the start of the test. */
  sinceStart({ timestampUs }: { readonly timestampUs: number }): number {
    return timestampUs - unixStartUs;
  }
}

/** Sends a frame written as hex; the DLC is the number of its bytes by default. */
export const sendHex = (
  channel: CanChannel,
  id: number,
  hex = '',
  { flags = 0, dlc }: { readonly flags?: number; readonly dlc?: number } = {},
): SendResult => {
  const data = Buffer.from(hex, 'hex');
  return channel.send(id, flags, dlc ?? data.length, data, 0, data.length);
};
