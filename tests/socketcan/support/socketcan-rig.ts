import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { SystemClock } from '../../../src/base/clock/system-clock.ts';
import { loadSystemTimer } from '../../../src/base/native/system-timer.ts';
import { Scheduler } from '../../../src/base/schedule/scheduler.ts';
import { TimerAlarm } from '../../../src/base/schedule/timer-alarm.ts';
import { Broker } from '../../../src/broker/broker.ts';
import { SocketCanDriver } from '../../../src/drivers/socketcan/socketcan-driver.ts';
import type { DriverRig } from '../../contract/drivers/driver-rig.ts';

/** An emulated machine on a busy host is slow. */
const patienceMs = 120_000;

export const ip = (...words: string[]): void =>
  void execFileSync('ip', words.join(' ').split(' '), { stdio: 'pipe' });

const soon = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The driver on interfaces of this machine, in real time. */
export const setUpDriver = async (receiveBuffer?: number) => {
  const clock = new SystemClock();
  const alarm = new TimerAlarm(await loadSystemTimer(clock));
  const scheduler = new Scheduler({
    clock,
    alarm,
    onError: (error) => {
      throw error;
    },
  });
  const context = { clock, scheduler, addresses: [], broker: new Broker() };
  const driver = new SocketCanDriver(context, undefined, receiveBuffer);
  return {
    driver,
    clock,
    until: async (condition: () => boolean): Promise<void> => {
      const endMs = performance.now() + patienceMs;
      while (!condition()) {
        if (performance.now() > endMs) throw new RangeError('It did not happen in time');
        await soon(1);
      }
    },
    pass: (us: number): Promise<void> => soon(us / 1000),
    tearDown: async () => {
      await driver.close();
      alarm.stop();
    },
  };
};

/** Two connected interfaces: ports 0 and 1. They remain after the test. */
export const setUpPair = async (
  names: readonly [string, string],
  serials: readonly [string, string],
  plugIn: () => void,
  unplug: () => void,
): Promise<DriverRig> => {
  if (!existsSync(`/sys/class/net/${names[0]}`)) plugIn();
  const { driver, clock, until, pass, tearDown } = await setUpDriver();
  return {
    driver,
    sn: serials[0],
    placeOf: (port) => ({ sn: serials[port] ?? 'none', port: 0 }),
    nowUnixUs: () => clock.unixUs(),
    until,
    pass,
    loseDevice: async () => unplug(),
    returnDevice: async () => plugIn(),
    tearDown,
  };
};
