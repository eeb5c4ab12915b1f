import { setTimeout as pause } from 'node:timers/promises';
import { Scheduler } from '../../../src/base/schedule/scheduler.ts';
import { isLong } from '../../../src/base/testing/long.ts';
import { Broker } from '../../../src/broker/broker.ts';
import type { DeviceInfo } from '../../../src/drivers/driver.ts';
import { createSlcanDriver } from '../../../src/drivers/slcan/slcan-driver.ts';
import {
  type Dialect,
  dialects,
  EmulatedAdapter,
} from '../../../src/drivers/slcan/testing/emulated-adapter.ts';
import { EmulatedBus } from '../../../src/drivers/slcan/testing/emulated-bus.ts';
import { SerialSocket, seededRandom } from '../../../src/drivers/slcan/testing/serial-socket.ts';
import { RecordingSink } from '../../../src/drivers/testing/recording-sink.ts';
import { TimerAlarm } from '../../../src/modbus/session/testing/timer-alarm.ts';
import { RunningClock } from '../support/running-clock.ts';
import type { DriverRig } from './driver-rig.ts';
import { describeDriver } from './driver-suite.ts';

const lateResponseUs = 20_000_000;
/** Time that the wires need for the last bytes. */
const transitUs = 60_000;
let seed = 1;

/** Whether a driver has detected all properties of such an adapter. */
const isOf = (dialect: Dialect, { sn, firmwareVersion, ports: [port] }: DeviceInfo): boolean =>
  firmwareVersion === dialect.version?.replace(/^V/, '') &&
  /^C00\d$/.test(sn) === dialect.hasSerial &&
  port?.buses.includes('canfd') === dialect.fd &&
  port.capabilities.settings.includes('timing') === (dialect.customTiming !== undefined);

/** Two adapters on one bus, each with a serial port that splits data at random. */
const setUpWith = (dialect: Dialect) => async (): Promise<DriverRig> => {
  const clock = new RunningClock();
  const alarm = new TimerAlarm(clock);
  const scheduler = new Scheduler({
    clock,
    alarm,
    onError: (error) => {
      throw error;
    },
  });
  const random = seededRandom(seed++);
  const bus = new EmulatedBus();
  const sockets = [new SerialSocket(random), new SerialSocket(random)] as const;
  const adapters: EmulatedAdapter[] = [];
  const plug = async (index: 0 | 1): Promise<void> => {
    const socket = sockets[index];
    const adapter = new EmulatedAdapter({
      dialect,
      bus,
      serial: `C00${index}`,
      write: socket.say,
      nowUs: () => clock.monotonicUs(),
    });
    adapters[index] = adapter;
    await socket.plug(adapter);
  };
  await Promise.all([plug(0), plug(1)]);
  const addresses = sockets.map(({ path }) => `${path},baud=115200`);
  const context = { clock, scheduler, addresses, broker: new Broker() };
  let driver = createSlcanDriver(context);
  let devices = await driver.devices();
  // The wires are processes: a pause of a tenth of a second makes an adapter seem silent.
  while (!devices.every((device) => isOf(dialect, device))) {
    await driver.close();
    driver = createSlcanDriver(context);
    devices = await driver.devices();
  }
  const sns = devices.map(({ sn }) => sn);
  const sinks: RecordingSink[] = [];
  const until = async (condition: () => boolean): Promise<void> => {
    const limitUs = clock.monotonicUs() + lateResponseUs;
    while (!condition()) {
      if (clock.monotonicUs() > limitUs) throw new RangeError('It did not happen in time');
      // Turns of the event loop alone would take the processor from the wire processes.
      await pause(1);
    }
  };
  return {
    driver,
    sn: sns[0] as string,
    placeOf: (port) => ({ sn: sns[port] ?? `no-${port}`, port: port < 2 ? 0 : port }),
    createSink: () => {
      const sink = new RecordingSink();
      sinks.push(sink);
      return sink;
    },
    nowUnixUs: () => clock.unixUs(),
    until,
    pass: async (us) => {
      await until(() => sockets.every(({ isIdle }) => isIdle));
      const untilUs = clock.monotonicUs() + us + transitUs;
      await until(() => clock.monotonicUs() >= untilUs);
    },
    loseDevice: async () => {
      for (const index of [1, 0]) {
        adapters[index]?.remove();
        await sockets[index as 0 | 1].pull();
        // The suite expects the channels of one device to be lost together.
        if (index === 1) await until(() => (sinks[1]?.presence.length ?? 1) > 0);
      }
    },
    returnDevice: async () => {
      await Promise.all([plug(0), plug(1)]);
    },
    ...(dialect.reportsState && {
      reportBusOff: (port: number) => adapters[port]?.say('sb000256\r'),
    }),
    tearDown: async () => {
      await driver.close();
      await Promise.all(sockets.map((socket) => socket.remove()));
      alarm.stop();
      clock.stop();
    },
  };
};

const can = { ports: [0, 1], acknowledges: false, highestDlc: 8 } as const;
const listening = ['normal', 'listen_only'] as const;

if (!isLong) {
  describeDriver(
    'slcan, against Lawicel adapters,',
    {
      can: {
        ...can,
        fd: false,
        modes: listening,
        timing: { prescaler: 2, tseg1: 11, tseg2: 4, sjw: 2 },
      },
      canLose: true,
    },
    setUpWith(dialects.lawicel),
  );

  describeDriver(
    'slcan, against CANable 2 adapters,',
    { can: { ...can, fd: true, modes: ['normal'] }, canLose: true },
    setUpWith(dialects.canable2),
  );
} else {
  // They respond like Lawicel adapters, and support CANable 2 frames.
  describeDriver(
    'slcan, against adapters with FD firmware that answers,',
    { can: { ...can, fd: true, modes: listening }, canLose: true },
    setUpWith(dialects.fd),
  );
}
