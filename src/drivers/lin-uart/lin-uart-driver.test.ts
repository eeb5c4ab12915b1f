import { describe, expect, it, onTestFinished } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { Scheduler } from '../../base/schedule/scheduler.ts';
import { FakeAlarm } from '../../base/schedule/testing/fake-alarm.ts';
import { openSerialPort } from '../../base/serial/serial-port.ts';
import { PtyPair } from '../../base/serial/testing/pty-pair.ts';
import { Broker } from '../../broker/broker.ts';
import type { DriverContext } from '../driver.ts';
import { identifySerialDevice } from '../serial-device/serial-identity.ts';
import { RecordingSink } from '../testing/recording-sink.ts';
import { createLinUartDriver } from './lin-uart-driver.ts';
import type { OpenSerialPort } from './lin-uart-link.ts';

const contextOf = (addresses: readonly string[]): DriverContext => {
  const clock = new FakeClock();
  const scheduler = new Scheduler({
    clock,
    alarm: new FakeAlarm(clock),
    onError: (error) => {
      throw error;
    },
  });
  return { clock, scheduler, addresses, broker: new Broker() };
};

const setUp = async (openPort: OpenSerialPort) => {
  const pair = await PtyPair.create();
  onTestFinished(() => pair.remove());
  const driver = createLinUartDriver(contextOf([pair.one]), openPort);
  const [device] = await driver.devices();
  return { driver, sn: device?.sn ?? '' };
};

describe('the LIN driver for serial ports', () => {
  it.each([
    ['before the port is open', false],
    ['as the port becomes open', true],
  ])('refuses what it was opening when it is closed %s', async (_, isOpen) => {
    let closed: Promise<void> | undefined;
    const close = (): void => {
      closed = driver.close();
    };
    const { driver, sn } = await setUp((options, receiver, errorOf) => {
      if (!isOpen) queueMicrotask(close);
      const opened = (): void => {
        receiver.opened();
        if (isOpen) close();
      };
      const { bytes, closed } = receiver;
      return openSerialPort(options, { opened, bytes, closed }, errorOf);
    });
    const events = new RecordingSink();
    await expect(driver.open(sn, 0, {}, events)).rejects.toMatchObject({
      code: 'hardware_error',
      details: { reason: 'device_lost' },
    });
    await closed;
    expect(events.all).toEqual([]);
  });

  it('tells adapters apart that left the factory with one serial number', async () => {
    const pairs = await Promise.all([PtyPair.create(), PtyPair.create()]);
    onTestFinished(() => Promise.all(pairs.map((pair) => pair.remove())).then(() => undefined));
    const addresses = pairs.map(({ one }) => one);
    const plugged = new Set(addresses.slice(0, 1));
    const driver = createLinUartDriver(contextOf(addresses), openSerialPort, async (named) => {
      const identity = await identifySerialDevice(named);
      return identity && plugged.has(named)
        ? { ...identity, sn: '0001', uid: 'usb-10c4-ea60-0001' }
        : undefined;
    });
    onTestFinished(() => driver.close());
    const listed = async () => (await driver.devices()).map(({ sn, address }) => [sn, address]);
    const nameOf = async (named = '') => (await identifySerialDevice(named))?.sn;
    const [first, second] = addresses;
    expect(await listed()).toEqual([['0001', first]]);
    plugged.add(second as string);
    expect(await listed()).toEqual([
      [await nameOf(first), first],
      [await nameOf(second), second],
    ]);
    plugged.delete(second as string);
    const channel = await driver.open('0001', 0, {}, new RecordingSink());
    plugged.add(second as string);
    expect(await listed()).toEqual([
      ['0001', first],
      [await nameOf(second), second],
    ]);
    await channel.close();
  });
});
