import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { Scheduler } from '../../base/schedule/scheduler.ts';
import { cases, isLong } from '../../base/testing/long.ts';
import { Broker } from '../../broker/broker.ts';
import type { CanChannel } from '../driver-channel.ts';
import { RecordingSink } from '../testing/recording-sink.ts';
import { createSlcanDriver } from './slcan-driver.ts';
import { clock, createAlarm, send, setUp, setUpSocket, until } from './testing/adapter-rig.ts';
import { dialects, EmulatedAdapter } from './testing/emulated-adapter.ts';
import { EmulatedBus } from './testing/emulated-bus.ts';
import { type Peer, SerialSocket, seededRandom } from './testing/serial-socket.ts';

/** A peer with the same response to everything. */
const answering = (socket: SerialSocket, answer: () => string): Peer => ({
  receive: () => socket.say(answer()),
});

describe('an slcan adapter', () => {
  it('is used without answers if it has none and the bench says so', async () => {
    const { adapter, device, events, channel } = await setUp(dialects.canable);
    expect(device).toMatchObject({ firmwareVersion: 'unknown', ports: [{ buses: ['can'] }] });
    expect(device?.sn).toMatch(/port$/);
    for (let id = 0; id < 40; id++) expect(send(channel, id)).toBe('accepted');
    adapter.say('t7FF1AA\r');
    await until(() => events.completed.length === 40 && events.received.length === 1);
    expect(events.completed.map(({ txNumber }) => txNumber)).toEqual(
      Array.from({ length: 40 }, (_, i) => i + 1),
    );
    await until(() => adapter.commands.at(-1) === 't02720102');
    expect(channel.stats()).toMatchObject({ txFrames: 40, rxFrames: 1, overruns: 0 });
  });

  it('fails the frames that it refuses, and no others', async () => {
    const { adapter, events, channel } = await setUp();
    send(channel, 1);
    await until(() => events.completed.length === 1);
    adapter.refusals = 2;
    for (let id = 2; id <= 4; id++) send(channel, id);
    await until(() => events.completed.length === 2);
    expect([events.failedFrames, events.lastFailed]).toEqual([2, 3]);
    expect(events.completed.map(({ id }) => id)).toEqual([1, 4]);
  });

  it('tells of its controller when it is asked', async () => {
    const { adapter, events, channel } = await setUp();
    adapter.status = 0xac;
    await until(() => events.states.length === 2);
    expect(events.states).toEqual(['error_passive', 'error_active']);
    expect(channel.stats()).toMatchObject({
      busState: 'error_active',
      overruns: 1,
      errorFrames: 1,
    });
  });

  it('tells of its controller by itself where it can, and comes back from bus off', async () => {
    const { adapter, events, channel } = await setUp(dialects.fd);
    adapter.say('e1a\rsw000101\r');
    await until(() => events.states.length === 1);
    expect(channel.stats()).toMatchObject({ busState: 'error_warning', txErrorCount: 101 });
    expect(events.errors[0]).toMatchObject({ status: 'no_acknowledge' });
    adapter.say('t12\rx\rsb000256\r');
    await until(() => events.states.at(-1) === 'bus_off');
    expect(send(channel, 1)).toBe('bus_off');
    const { overruns } = channel.stats();
    expect(overruns).toBeGreaterThanOrEqual(2);
    adapter.commands.length = 0;
    channel.recover();
    await until(() => events.states.at(-1) === 'error_active');
    expect(adapter.commands).toEqual(expect.arrayContaining(['C', 'S6', 'O']));
    expect(channel.stats().overruns).toBeGreaterThanOrEqual(overruns);
    expect(send(channel, 1)).toBe('accepted');
    await until(() => events.completed.length === 1);
  });

  it('is lost once it answers no more, and fails what it was given', async () => {
    const { adapter, events, channel } = await setUp();
    adapter.isHung = true;
    for (let id = 0; id < 20; id++) send(channel, id);
    await until(() => events.presence.length === 1);
    expect(events.failedFrames).toBe(20);
    expect(channel.stats()).toMatchObject({ txPending: 0, txFailed: 20 });
    adapter.isHung = false;
    await until(() => events.presence.length === 2);
    expect(send(channel, 1)).toBe('accepted');
    await until(() => events.completed.length === 1);
  });

  it.runIf(isLong)('comes back each time that it has answered no more for a while', async () => {
    const { adapter, events, channel } = await setUp();
    const isLost = (): boolean => events.presence.at(-1) === 'lost';
    for (const times of [1, 2]) {
      adapter.isHung = true;
      send(channel, times);
      await until(isLost);
      adapter.isHung = false;
      // Slow wires may lose a frame, or lose the adapter again.
      while (events.completed.length < times) {
        await until(() => !isLost());
        const failed = events.failedFrames;
        send(channel, times);
        await until(
          () => events.completed.length === times || events.failedFrames > failed || isLost(),
        );
      }
    }
    expect(events.completed.map(({ id }) => id)).toEqual([1, 2]);
    expect(events.presence).toEqual(events.presence.map((_, i) => (i % 2 ? 'returned' : 'lost')));
    expect(events.presence.length).toBeGreaterThanOrEqual(4);
  });

  it('takes nothing until it is back, and is lost once however often that fails', async () => {
    const { socket, events, channel, plug } = await setUp();
    await socket.pull();
    await until(() => events.presence.length === 1);
    const back = await plug();
    while (!back.commands.includes('Z1')) await nextTurn();
    back.isHung = true;
    expect([send(channel, 1), channel.pending]).toEqual(['lost', 0]);
    const change = { group: 'bitrate', bitrate: 125_000 } as const;
    await expect(channel.configure(change)).rejects.toMatchObject({
      details: { reason: 'device_lost' },
    });
    await socket.pull();
    await plug();
    await until(() => events.presence.at(-1) === 'returned');
    expect(events.presence).toEqual(['lost', 'returned']);
    expect(send(channel, 2)).toBe('accepted');
    await until(() => events.completed.length === 1);
  });

  it('is off the bus where its channel is closed while it comes back', async () => {
    const { socket, events, channel, plug } = await setUp();
    await socket.pull();
    await until(() => events.presence.length === 1);
    const back = await plug();
    while (!back.commands.includes('Z1')) await nextTurn();
    await channel.close();
    while (!back.commands.includes('O')) await nextTurn();
    expect(back.commands.filter((command) => 'CO'.includes(command)).at(-1)).toBe('C');
    expect(events.presence).toEqual(['lost']);
  });

  it('is not taken for another that is plugged in where it was', async () => {
    const { socket, events, plug } = await setUp();
    await socket.pull();
    await until(() => events.presence.length === 1);
    const stranger = await plug('FACE');
    await until(() => stranger.commands.includes('N'));
    await until(() => stranger.commands.includes('Y2'));
    expect(events.presence).toEqual(['lost']);
    await socket.pull();
    await plug();
    await until(() => events.presence.length === 2);
    expect(events.presence).toEqual(['lost', 'returned']);
  });
});

describe('a hostile peer', () => {
  const open = async (peer: (socket: SerialSocket) => Peer) => {
    const { socket, driver } = setUpSocket();
    await socket.plug(peer(socket));
    const [device] = await driver.devices();
    const events = new RecordingSink();
    const opening = driver.open(device?.sn ?? '', 0, {}, events) as Promise<CanChannel>;
    return { socket, events, opening };
  };

  const reasonOf = (opening: Promise<unknown>) =>
    opening.then(
      () => 'nothing was refused',
      (error: { details: { reason: string } }) => error.details.reason,
    );

  it.each<[string, string, () => string]>([
    ['noise', 'baud_rate_mismatch', () => '\x80\x03\xfe'],
    ['bells', 'not_slcan', () => '\x07'],
  ])('that answers with %s is told as %s', async (_, reason, answer) => {
    const { opening } = await open((socket) => answering(socket, answer));
    expect(await reasonOf(opening)).toBe(reason);
  });

  it('that says nothing is told as no_answer, and used once it answers', async () => {
    const { socket, driver } = setUpSocket();
    const nowUs = () => clock.monotonicUs();
    const options = { dialect: dialects.lawicel, bus: new EmulatedBus(), serial: 'C0DE', nowUs };
    const adapter = new EmulatedAdapter({ ...options, write: socket.say });
    adapter.isHung = true;
    await socket.plug(adapter);
    const [silent] = await driver.devices();
    expect(silent?.sn).toMatch(/port$/);
    const events = new RecordingSink();
    await expect(driver.open(silent?.sn ?? '', 0, {}, events)).rejects.toMatchObject({
      code: 'hardware_error',
      details: { reason: 'no_answer', device: socket.path },
      hint: expect.stringContaining('answers=no'),
    });
    adapter.isHung = false;
    const channel = (await driver.open(silent?.sn ?? '', 0, {}, events)) as CanChannel;
    expect(send(channel, 1)).toBe('accepted');
    await until(() => events.completed.length === 1);
    expect(adapter.commands).toContain('t00120102');
  });

  it('that says nothing at first and noise afterwards has the wrong baud rate', async () => {
    const { socket, driver } = setUpSocket();
    let answer = '';
    await socket.plug(answering(socket, () => answer));
    const [silent] = await driver.devices();
    answer = '\x80\x03\xfe';
    const opening = driver.open(silent?.sn ?? '', 0, {}, new RecordingSink());
    expect(await reasonOf(opening)).toBe('baud_rate_mismatch');
  });

  it('with half lines, wrong lines and strays makes counts, and no frame', async () => {
    const { adapter, events, channel } = await setUp();
    adapter.say('t12\rV1013\rF00\rx\rt1238AABB\r\x07z\rN1234\rt1231AA00GG\r');
    await until(() => channel.stats().overruns >= 9);
    adapter.say('t3211AA0001\r');
    await until(() => events.received.length > 0);
    expect(events.received).toMatchObject([{ id: 0x321, data: 'AA' }]);
    expect(channel.stats()).toMatchObject({ overruns: 9, rxFrames: 1, txFailed: 0 });
  });

  it('without an end makes one count, however long it is', async () => {
    const { adapter, events, channel } = await setUp(dialects.canable);
    for (let i = 0; i < cases(3, 100); i++) adapter.say('A'.repeat(10_000));
    adapter.say('\rt3211AA\r');
    await until(() => events.received.length > 0);
    expect(events.received).toMatchObject([{ id: 0x321 }]);
    expect(channel.stats().overruns).toBe(1);
  });

  it('that babbles does not keep the channel from being closed', async () => {
    const { adapter, channel } = await setUp();
    let babbles = true;
    const babble = async (): Promise<void> => {
      while (babbles) {
        adapter.say('\r\x07zZ\rF\rV\r');
        await pause(0);
      }
    };
    const done = babble();
    for (let id = 0; id < 20; id++) send(channel, id);
    await until(() => channel.stats().txPending === 0);
    await channel.close();
    babbles = false;
    await done;
    expect(channel.stats().overruns).toBeGreaterThan(0);
  });
});

describe('the slcan driver', () => {
  it('has no devices where the bench names none, and nothing that is no port', async () => {
    const fake = new FakeClock();
    const scheduler = new Scheduler({
      clock: fake,
      alarm: createAlarm(),
      onError: () => undefined,
    });
    for (const addresses of [[], ['/dev/null/none', 'nonsense']]) {
      const broker = new Broker();
      const driver = createSlcanDriver({ clock: fake, scheduler, addresses, broker });
      expect(await driver.devices()).toEqual([]);
      await driver.close();
    }
  });

  it('tells adapters apart that have the same number', async () => {
    const { driver, socket, addresses } = setUpSocket();
    const other = new SerialSocket(seededRandom(5));
    onTestFinished(() => other.remove());
    const bus = new EmulatedBus();
    for (const place of [socket, other]) {
      const options = { dialect: dialects.lawicel, bus, serial: 'C0DE', nowUs: () => 0 };
      await place.plug(new EmulatedAdapter({ ...options, write: place.say }));
    }
    addresses.push(other.path);
    const found = await driver.devices();
    const namesOf = (path: string) => path.slice(1).replaceAll('/', '-');
    expect(found.map(({ sn }) => sn)).toEqual([namesOf(socket.path), namesOf(other.path)]);
    expect((await driver.devices()).map(({ sn }) => sn)).toEqual(found.map(({ sn }) => sn));
    addresses.reverse();
    expect((await driver.devices()).map(({ sn }) => sn)).toEqual(found.map(({ sn }) => sn));
    const events = new RecordingSink();
    await expect(driver.open(found[1]?.sn ?? '', 0, {}, events)).resolves.toMatchObject({
      sn: found[1]?.sn,
    });
  });

  it('lets go of ports that the bench names no longer', async () => {
    const { driver, channel, socket } = await setUp();
    await channel.close();
    await driver.close();
    const addresses = [socket.path];
    const scheduler = new Scheduler({ clock, alarm: createAlarm(), onError: () => undefined });
    const other = createSlcanDriver({ clock, scheduler, addresses, broker: new Broker() });
    onTestFinished(() => other.close());
    expect(await other.devices()).toHaveLength(1);
    addresses.length = 0;
    expect(await other.devices()).toEqual([]);
  });
});
