import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { SystemClock } from '../../../base/clock/system-clock.ts';
import { type Alarm, Scheduler } from '../../../base/schedule/scheduler.ts';
import { Broker } from '../../../broker/broker.ts';
import type { CanChannel } from '../../driver-channel.ts';
import { RecordingSink } from '../../testing/recording-sink.ts';
import { createSlcanDriver } from '../slcan-driver.ts';
import { type Dialect, dialects, EmulatedAdapter } from './emulated-adapter.ts';
import { EmulatedBus } from './emulated-bus.ts';
import { SerialSocket, seededRandom } from './serial-socket.ts';
export const clock = new SystemClock();

/** An alarm on ordinary timers. */
export const createAlarm = (): Alarm => {
  let timer = clock.after(0, () => undefined);
  const alarm: Alarm = {
    onRing: undefined,
    arm(atUs) {
      timer.cancel();
      timer = clock.after((atUs - clock.monotonicUs()) / 1000, () => alarm.onRing?.());
    },
  };
  onTestFinished(() => timer.cancel());
  return alarm;
};

/** The loop must sleep in between: the wires are separate processes. */
export const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await pause(1);
};

export const setUpSocket = (options = '') => {
  const socket = new SerialSocket(seededRandom(3));
  const scheduler = new Scheduler({
    clock,
    alarm: createAlarm(),
    onError: (error) => {
      throw error;
    },
  });
  const addresses = [socket.path + options];
  const driver = createSlcanDriver({ clock, scheduler, addresses, broker: new Broker() });
  onTestFinished(async () => {
    await driver.close();
    await socket.remove();
  });
  return { socket, driver, addresses };
};

/** A connected adapter, and its channel. */
export const setUp = async (dialect: Dialect = dialects.lawicel, serial = 'C0DE') => {
  const answers = dialect.acknowledges || dialect.version !== undefined;
  const { socket, driver } = setUpSocket(answers ? '' : ',answers=no');
  const bus = new EmulatedBus();
  const plug = async (number = serial): Promise<EmulatedAdapter> => {
    const nowUs = () => clock.monotonicUs();
    const write = socket.say;
    const adapter = new EmulatedAdapter({ dialect, bus, serial: number, write, nowUs });
    await socket.plug(adapter);
    return adapter;
  };
  const adapter = await plug();
  const [device] = await driver.devices();
  const events = new RecordingSink();
  const channel = (await driver.open(device?.sn ?? '', 0, {}, events)) as CanChannel;
  return { socket, driver, adapter, device, events, channel, plug };
};

export const send = (channel: CanChannel, id: number) =>
  channel.send(id, 0, 2, Uint8Array.of(1, 2), 0, 2);
