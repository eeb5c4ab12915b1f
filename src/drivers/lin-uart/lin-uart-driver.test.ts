import { describe, expect, it, onTestFinished } from 'vitest';
import { FakeClock } from '../../base/clock/fake-clock.ts';
import { FakeAlarm } from '../../base/schedule/fake-alarm.ts';
import { Scheduler } from '../../base/schedule/scheduler.ts';
import { openSerialPort } from '../../base/serial/serial-port.ts';
import { PtyPair } from '../../base/serial/testing/pty-pair.ts';
import { Broker } from '../../broker/broker.ts';
import { RecordingSink } from '../testing/recording-sink.ts';
import { createLinUartDriver } from './lin-uart-driver.ts';
import type { OpenSerialPort } from './lin-uart-link.ts';

const setUp = async (openPort: OpenSerialPort) => {
  const pair = await PtyPair.create();
  onTestFinished(() => pair.remove());
  const clock = new FakeClock();
  const scheduler = new Scheduler({
    clock,
    alarm: new FakeAlarm(clock),
    onError: (error) => {
      throw error;
    },
  });
  const context = { clock, scheduler, addresses: [pair.one], broker: new Broker() };
  const driver = createLinUartDriver(context, openPort);
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
});
