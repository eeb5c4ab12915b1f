import { FakeClock } from '../../../src/base/clock/testing/fake-clock.ts';
import { Scheduler } from '../../../src/base/schedule/scheduler.ts';
import { FakeAlarm } from '../../../src/base/schedule/testing/fake-alarm.ts';
import { seededRandom } from '../../../src/base/testing/seeded-random.ts';
import { Broker } from '../../../src/broker/broker.ts';
import { createLinUartDriver } from '../../../src/drivers/lin-uart/lin-uart-driver.ts';
import { TimedWire } from '../../../src/drivers/lin-uart/testing/timed-wire.ts';
import type { DriverRig } from './driver-rig.ts';
import { describeDriver } from './driver-suite.ts';

const lateResponseUs = 10_000_000;
let seed = 1;

/** Two adapters on one wire, with serial ports that split data at random. */
const setUp = async (): Promise<DriverRig> => {
  const clock = new FakeClock({ startUs: 123_456_789.25 });
  const scheduler = new Scheduler({
    clock,
    alarm: new FakeAlarm(clock),
    onError: (error) => {
      throw error;
    },
  });
  const wire = new TimedWire(clock, scheduler, seededRandom(seed++));
  await Promise.all([wire.addSocket(), wire.addSocket()]);
  const { sockets } = wire;
  const addresses = sockets.map(({ path }) => path);
  const context = { clock, scheduler, addresses, broker: new Broker() };
  const driver = createLinUartDriver(context, wire.openPort);
  const sns = (await driver.devices()).map(({ sn }) => sn);
  return {
    driver,
    sn: sns[0] as string,
    placeOf: (port) => ({ sn: sns[port] ?? `no-${port}`, port: port < 2 ? 0 : port }),
    nowUnixUs: () => clock.unixUs(),
    until: async (condition) => {
      if (await wire.until(condition, lateResponseUs)) return;
      throw new RangeError('It did not happen in ten seconds');
    },
    pass: async (us) => {
      await wire.until(() => false, us);
    },
    loseDevice: async () => {
      await Promise.all(sockets.map((socket) => socket.pull()));
    },
    returnDevice: async () => {
      await Promise.all(sockets.map((socket) => socket.plug()));
    },
    spoilChecksums: async (port, responses) => {
      if (sockets[port]) sockets[port].end.faults.corrupted = responses;
    },
    dropResponses: async (port, responses) => {
      if (sockets[port]) sockets[port].end.faults.dropped = responses;
    },
    tearDown: async () => {
      await driver.close();
      await Promise.all(sockets.map((socket) => socket.remove()));
    },
  };
};

describeDriver(
  'LIN over UART',
  { lin: { master: 0, slave: 1, collides: true }, canLose: true },
  setUp,
);
