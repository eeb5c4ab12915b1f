import { beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { Scheduler } from '../../base/schedule/scheduler.ts';
import { FakeAlarm } from '../../base/schedule/testing/fake-alarm.ts';
import { Broker } from '../../broker/broker.ts';
import { unsupportedByHardware } from '../refusals.ts';
import { RecordingSink } from '../testing/recording-sink.ts';
import { SocketCanDriver } from './socketcan-driver.ts';
import { FakeCanCalls } from './testing/fake-can-calls.ts';
import { exampleInterface, FakeInterfaces } from './testing/fake-interfaces.ts';

const serial = '1d50:606f:7:0';
const alone = { ...exampleInterface, serial, sn: serial, place: 'usb:1-1:0' };
/** Names of two adapters with the same serial number. */
const first = { ...alone, sn: alone.place };
const copy = { ...first, index: 5, name: 'can1', sn: 'usb:1-2:0', place: 'usb:1-2:0' };

describe('the driver of the kernel', () => {
  let links: FakeInterfaces;
  let calls: FakeCanCalls;
  let driver: SocketCanDriver;
  let sink: RecordingSink;

  beforeEach(() => {
    const clock = new FakeClock();
    const onError = (error: unknown): never => {
      throw error;
    };
    const scheduler = new Scheduler({ clock, alarm: new FakeAlarm(clock), onError });
    links = new FakeInterfaces(alone);
    calls = new FakeCanCalls();
    sink = new RecordingSink();
    driver = new SocketCanDriver(
      { clock, scheduler, addresses: [], broker: new Broker() },
      async () => links,
      1,
      async () => calls,
    );
  });

  const open = (sn: string, into = new RecordingSink()) => driver.open(sn, 0, {}, into);
  const serials = async () => (await driver.devices()).map(({ sn }) => sn);

  it('lists all interfaces though one of them cannot run by defaults', async () => {
    links.change(first, copy);
    links.onPreparation = ({ name }) => {
      if (name === copy.name) throw unsupportedByHardware('bitrate', 'no such rate');
      return 'ip link set vcan0 up';
    };
    expect((await driver.devices()).map(({ sn, needs }) => [sn, needs])).toEqual([
      [first.sn, 'ip link set vcan0 up'],
      [copy.sn, undefined],
    ]);
  });

  it('keeps an open channel while a copy of its adapter is plugged in and pulled out', async () => {
    const channel = await open(serial, sink);
    links.change(copy, first);
    links.change(alone);
    expect([sink.presence, channel.sn]).toEqual([[], serial]);
  });

  it('lists an open interface as it was opened, and opens it no second time', async () => {
    await open(serial, sink);
    links.change(first, copy);
    expect(await serials()).toEqual([serial, copy.place]);
    await expect(open(serial)).rejects.toMatchObject({ details: { reason: 'port_in_use' } });
    await expect(open(first.place)).rejects.toMatchObject({ code: 'channel_not_found' });
    await open(copy.place);
    expect(calls.open.size).toBe(2);
  });

  it('does not take the copy that is left for the one that is gone', async () => {
    await open(serial, sink);
    links.change(first, copy);
    links.change({ ...copy, sn: serial });
    expect(sink.presence).toEqual(['lost']);
  });

  it('names it as the rest of the machine does once it is closed', async () => {
    const channel = await open(serial, sink);
    links.change(first, copy);
    await channel.close();
    expect(await serials()).toEqual([first.place, copy.place]);
  });
});
