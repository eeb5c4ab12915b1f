import { FakeClock } from '../../../src/base/clock/testing/fake-clock.ts';
import { Scheduler } from '../../../src/base/schedule/scheduler.ts';
import { FakeAlarm } from '../../../src/base/schedule/testing/fake-alarm.ts';
import { Broker } from '../../../src/broker/broker.ts';
import { createFaultyDriver } from '../../../src/drivers/virtual/testing/virtual-faults.ts';
import type { DriverRig } from './driver-rig.ts';
import { describeDriver } from './driver-suite.ts';

const stepUs = 100;
const lateResponseUs = 10_000_000;

const setUp = async (): Promise<DriverRig> => {
  const clock = new FakeClock({ startUs: 123_456_789.25 });
  const scheduler = new Scheduler({
    clock,
    alarm: new FakeAlarm(clock),
    onError: (error) => {
      throw error;
    },
  });
  const driver = createFaultyDriver({ clock, scheduler, addresses: [], broker: new Broker() });
  return {
    driver,
    sn: 'SIM00001',
    nowUnixUs: () => clock.unixUs(),
    until: async (condition) => {
      for (let waitedUs = 0; !condition(); waitedUs += stepUs) {
        if (waitedUs > lateResponseUs) throw new RangeError('It did not happen in ten seconds');
        clock.advanceUs(stepUs);
      }
    },
    pass: async (us) => clock.advanceUs(us),
    loseDevice: async () => driver.faults.loseDevice(),
    returnDevice: async () => driver.faults.returnDevice(),
    breakFrames: async (port) => {
      driver.faults.bitErrors(port, Number.POSITIVE_INFINITY);
      return async () => driver.faults.bitErrors(port, 0);
    },
    spoilChecksums: async (port, responses) => driver.faults.wrongChecksums(port, responses),
    dropResponses: async (port, responses) => driver.faults.droppedResponses(port, responses),
    tearDown: () => driver.close(),
  };
};

const modes = ['normal', 'listen_only', 'loopback'] as const;
const offload = { cyclic: 8, routes: 16, jitterUs: 1 };

describeDriver(
  'virtual',
  {
    can: { ports: [0, 1], fd: true, modes, acknowledges: true, offload },
    lin: { master: 4, slave: 5, collides: true },
    canLose: true,
  },
  setUp,
);

describeDriver(
  'virtual, ports exchanged,',
  {
    can: { ports: [3, 2], fd: true, modes, acknowledges: true, offload },
    lin: { master: 5, slave: 4, collides: true },
    canLose: true,
  },
  setUp,
);
