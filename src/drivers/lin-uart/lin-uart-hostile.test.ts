import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { Scheduler } from '../../base/schedule/scheduler.ts';
import { FakeAlarm } from '../../base/schedule/testing/fake-alarm.ts';
import { cases } from '../../base/testing/long.ts';
import { seededRandom } from '../../base/testing/seeded-random.ts';
import { Broker } from '../../broker/broker.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import type { OpenSettings } from '../channel-settings.ts';
import type { LinChannel } from '../driver-channel.ts';
import { RecordingSink } from '../testing/recording-sink.ts';
import { createLinUartDriver, type LinUartDriver } from './lin-uart-driver.ts';
import { TimedWire } from './testing/timed-wire.ts';
import type { WireSocket } from './testing/wire-socket.ts';

const enhanced = frameFlag.enhancedChecksum;
const second = 1_000_000;
const good = Uint8Array.of(0xff, 0, 0, 0x55, 0x50, 0x4a, 0x55, 0x93, 0xe5, 0x96);

const hostile: readonly (readonly [name: string, byte: (random: () => number) => number])[] = [
  ['the byte of a sync field', () => 0x55],
  ['random bytes', (random) => Math.floor(random() * 256)],
  ['bytes that never mark anything', () => 0xa5],
];

/** One node, and a test that is everything else on its wire. */
describe('a LIN node over a serial port whose wire is hostile', () => {
  let wire: TimedWire;
  let socket: WireSocket;
  let driver: LinUartDriver;
  let channel: LinChannel;
  let events: RecordingSink;
  const random = seededRandom(5);

  const setUp = async (options = '', settings: OpenSettings = {}): Promise<void> => {
    const clock = new FakeClock();
    const scheduler = new Scheduler({
      clock,
      alarm: new FakeAlarm(clock),
      onError: (error) => {
        throw error;
      },
    });
    wire = new TimedWire(clock, scheduler, random);
    socket = await wire.addSocket();
    const context = {
      clock,
      scheduler,
      addresses: [socket.path + options],
      broker: new Broker(),
    };
    driver = createLinUartDriver(context, wire.openPort);
    events = new RecordingSink();
    const [device] = await driver.devices();
    channel = await driver.open(device?.sn ?? '', 0, settings, events);
  };
  beforeEach(() => setUp());
  afterEach(async () => {
    await driver.close();
    await socket.remove();
  });

  const say = async (bytes: Uint8Array): Promise<void> => {
    socket.write(bytes);
    await wire.until(() => false, second);
  };
  const hearsGood = async (): Promise<void> => {
    events.clear();
    await say(good);
    expect(events.received).toMatchObject([{ id: 0x10, data: '4A5593E5' }]);
  };

  it.each(hostile.slice(0, cases(1, hostile.length)))(
    'counts a million %s as errors, and follows what comes then',
    async (_, byte) => {
      await say(Uint8Array.from({ length: 1_000_000 }, () => byte(random)));
      const { errorFrames, rxFrames } = channel.stats();
      expect(errorFrames).toBe(events.errorFrames);
      expect(errorFrames).toBeGreaterThan(0);
      expect(rxFrames).toBe(0);
      // Far fewer than bytes: they arrived together.
      expect(errorFrames).toBeLessThan(10_000);
      await hearsGood();
    },
  );

  it.each([[[0xff]], [[0xff, 0]], [[0x12, 0xff]]])(
    'hears the first frame after a mark that lost its rest: %j',
    async (bytes) => {
      await say(Uint8Array.from(bytes));
      await hearsGood();
    },
  );

  it('takes no frame from sync fields that would be one in classic checksums', async () => {
    await driver.close();
    await socket.remove();
    await setUp('', { lin: { role: 'slave', version: '1.3' } });
    await say(new Uint8Array(110_000).fill(0x55));
    expect(channel.stats().rxFrames).toBe(0);
    expect(events.received).toEqual([]);
    await say(Uint8Array.of(0xff, 0, 0, 0x55, 0x50, 0x01, 0xfe));
    expect(events.received).toMatchObject([{ id: 0x10, data: '01' }]);
  });

  it('makes errors of half frames and breaks without end', async () => {
    for (let length = 4; length < good.length; length++) {
      events.clear();
      await say(good.subarray(0, length));
      expect(events.received.filter(({ flags }) => (flags & frameFlag.syncBreak) === 0)).toEqual(
        [],
      );
      expect(events.all).toHaveLength(1);
    }
    await say(Uint8Array.from({ length: 300_000 }, (_, i) => (i % 3 === 0 ? 0xff : 0)));
    await hearsGood();
  });

  it('gives all it took an outcome while others never stop', async () => {
    const outcomes: string[] = [];
    for (let i = 0; i < 5; i++) {
      channel.masterWrite(0x10, enhanced, Uint8Array.of(i), 0, 1);
      channel.masterRead(0x11, enhanced, 1, (outcome) => outcomes.push(outcome));
    }
    for (let i = 0; i < 500 && channel.pending > 0; i++) {
      socket.write(Uint8Array.of(0xa5));
      await wire.until(() => false, 4000);
    }
    expect(channel.pending).toBe(0);
    expect(events.completed.length + events.failedFrames).toBe(5);
    expect(outcomes).toHaveLength(5);
    // Its own bytes would still be received.
    socket.end.clear();
    await wire.until(() => false, second);
    await hearsGood();
  });

  it('ends a change of its rate that the device does not outlive', async () => {
    const change = channel.configure({ group: 'bitrate', bitrate: 9600 }).catch(({ code }) => code);
    await socket.pull();
    await wire.until(() => events.presence.length === 1, second);
    expect([undefined, 'hardware_error']).toContain(await change);
    expect(events.presence).toEqual(['lost']);
  });

  it('can be told that the adapter does not hear itself', async () => {
    await driver.close();
    await socket.remove();
    await setUp(',echo=off');
    const outcomes: string[] = [];
    channel.masterWrite(0x10, enhanced, Uint8Array.of(1), 0, 1);
    channel.masterRead(0x10, enhanced, 4, (outcome) => outcomes.push(outcome));
    await wire.until(() => events.completed.length === 1 && socket.fromNode === 12, second);
    expect(events.completed).toMatchObject([{ id: 0x10, data: '01', status: 'ok' }]);
    socket.end.clear();
    await say(good.subarray(5));
    expect(outcomes).toEqual(['answered']);
  });
});
