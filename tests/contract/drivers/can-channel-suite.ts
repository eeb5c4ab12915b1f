import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dlcToLength, maxDlc } from '../../../src/frame/dlc.ts';
import { frameFlag } from '../../../src/frame/frm2-layout.ts';
import { formatHex } from '../../../src/frame/hex-bytes.ts';
import {
  type DriverFeatures,
  type DriverRig,
  type OpenCan,
  openCan,
  type SetUpRig,
} from './driver-rig.ts';

const { brs, extended, fd, remote } = frameFlag;

const patterned = (flags: number, dlc: number) => {
  const length = (flags & remote) === 0 ? dlcToLength(dlc, (flags & fd) !== 0) : 0;
  return Uint8Array.from({ length }, (_, i) => (i * 37 + dlc) & 0xff);
};

const send = ({ channel }: OpenCan, id: number, flags = 0, dlc = 0) => {
  const data = patterned(flags, dlc);
  return channel.send(id, flags, dlc, data, 0, data.length);
};

export const describeCanChannel = (
  {
    ports,
    fd: hasFd,
    modes,
    acknowledges,
    remote: hasRemote = true,
    highestDlc = maxDlc,
  }: NonNullable<DriverFeatures['can']>,
  setUp: SetUpRig,
): void => {
  let rig: DriverRig;
  let one: OpenCan;
  let two: OpenCan;
  beforeEach(async () => {
    rig = await setUp();
    one = await openCan(rig, ports[0]);
    two = await openCan(rig, ports[1]);
  });
  afterEach(() => rig.tearDown());

  const completed = (count: number) => rig.until(() => one.events.completed.length >= count);
  const received = (count: number) => rig.until(() => two.events.received.length >= count);

  describe('a CAN channel', () => {
    const classic = Array.from({ length: highestDlc + 1 }, (_, dlc) => ({ flags: 0, dlc }));
    const flexible = Array.from({ length: 16 }, (_, dlc) => ({
      flags: dlc % 2 ? fd | brs : fd,
      dlc,
    }));
    const remotes = [
      { flags: remote, dlc: 0 },
      { flags: remote | extended, dlc: 5 },
    ];
    const kinds = [
      ...classic,
      ...(hasFd ? flexible : []),
      { flags: extended, dlc: 8 },
      ...(hasRemote ? remotes : []),
    ];

    it('hands every kind of frame to its peer as it was, and tells its sender', async () => {
      kinds.forEach(({ flags, dlc }, index) => {
        const id = (flags & extended) === 0 ? index : 0x1ffff000 + index;
        expect(send(one, id, flags, dlc)).toBe('accepted');
      });
      await received(kinds.length);
      await completed(kinds.length);
      kinds.forEach(({ flags, dlc }, index) => {
        const expected = {
          id: (flags & extended) === 0 ? index : 0x1ffff000 + index,
          flags,
          dlc,
          bus: (flags & fd) === 0 ? 'can' : 'canfd',
          status: 'ok',
          data: formatHex(patterned(flags, dlc)),
        };
        expect(two.events.received[index]).toMatchObject({ ...expected, kind: 'rx_frame' });
        expect(one.events.completed[index]).toMatchObject({ ...expected, kind: 'tx_complete' });
      });
    });

    it('takes the bytes as they are at the call, from where it is told', async () => {
      const data = Uint8Array.of(9, 1, 2, 9);
      one.channel.send(0x123, 0, 2, data, 1, 2);
      data.fill(0xee);
      await received(1);
      expect(two.events.received).toMatchObject([{ data: '0102' }]);
    });

    it('keeps the order of a burst, and loses and doubles nothing', async () => {
      for (let i = 0; i < 200; i++) expect(send(one, (i * 7) % 0x700, 0, i % 9)).toBe('accepted');
      await received(200);
      await completed(200);
      const expected = Array.from({ length: 200 }, (_, i) => (i * 7) % 0x700);
      expect(two.events.received.map(({ id }) => id)).toEqual(expected);
      expect(one.events.completed.map(({ id }) => id)).toEqual(expected);
      await rig.pass(5_000);
      expect(two.events.received).toHaveLength(200);
      expect(one.events.completed).toHaveLength(200);
    });

    it('works in both directions at once', async () => {
      for (let i = 0; i < 20; i++) {
        send(one, 0x100 + i, 0, 8);
        send(two, 0x200 + i, 0, 8);
      }
      await received(20);
      await rig.until(() => one.events.received.length >= 20);
      expect(one.events.received.map(({ id }) => id)).toEqual(
        Array.from({ length: 20 }, (_, i) => 0x200 + i),
      );
    });

    it('stamps events in order, with Unix time, and numbers them', async () => {
      const beforeUs = rig.nowUnixUs();
      for (let i = 0; i < 50; i++) send(one, 0x100 + i, 0, 8);
      await completed(50);
      const afterUs = rig.nowUnixUs();
      const stamps = one.events.all.map(({ timestampUs }) => timestampUs);
      expect(stamps).toEqual([...stamps].sort((a, b) => a - b));
      expect(stamps.every(Number.isInteger)).toBe(true);
      // A hardware clock may differ slightly from ours.
      expect(stamps[0]).toBeGreaterThanOrEqual(beforeUs - 1_000);
      expect(stamps.at(-1)).toBeLessThanOrEqual(afterUs + 1_000);
      const [first = 0, ...rest] = one.events.all.map((event) => event.hardwareSequence);
      expect(rest).toEqual(rest.map((_, i) => (first + 1 + i) & 0xffff));
    });

    it('refuses frames that its bus does not have', async () => {
      await two.channel.close();
      const classicOnly = await openCan(rig, ports[1], { bus: 'can' });
      expect(send(classicOnly, 0x123, fd, 8)).toBe('not_on_bus');
      expect(send(classicOnly, 0x123, frameFlag.error, 8)).toBe('not_on_bus');
    });

    it('counts what it did, and how long the bus was busy', async () => {
      for (let i = 0; i < 10; i++) send(one, 0x100 + i, 0, 8);
      for (let i = 0; i < 3; i++) send(two, 0x200 + i, 0, 8);
      await rig.until(() => one.events.all.length >= 13 && two.events.all.length >= 13);
      expect(one.channel.stats()).toMatchObject({
        txFrames: 10,
        rxFrames: 3,
        txFailed: 0,
        errorFrames: 0,
        overruns: 0,
        txPending: 0,
        busState: 'error_active',
        txErrorCount: 0,
        rxErrorCount: 0,
      });
      // At 500 kbit/s a frame with 8 bytes takes from 222 to 270 µs.
      const { busyUs } = one.channel.stats();
      expect(busyUs).toBeGreaterThanOrEqual(13 * 222);
      expect(busyUs).toBeLessThanOrEqual(13 * 270);
    });

    it('loses nothing when the value that is set is set again', async () => {
      for (let i = 0; i < 20; i++) send(one, i, 0, 8);
      await one.channel.configure({ group: 'bitrate', bitrate: one.channel.settings.bitrate });
      await received(20);
      expect(one.events.failedFrames).toBe(0);
    });

    it('works on after its bit rate was changed, if its peer follows', async () => {
      for (const { channel } of [one, two]) {
        await channel.configure({ group: 'bitrate', bitrate: 250_000 });
      }
      expect(one.channel.settings.bitrate).toBe(250_000);
      send(one, 0x123, 0, 8);
      await received(1);
    });

    it('gives every accepted frame one outcome when a change gets in between', async () => {
      let accepted = 0;
      for (let i = 0; i < 50; i++) if (send(one, i, 0, 8) === 'accepted') accepted += 1;
      await one.channel.configure({ group: 'bitrate', bitrate: 250_000 });
      await rig.until(() => one.events.completed.length + one.events.failedFrames >= accepted);
      await received(one.events.completed.length);
      await rig.pass(20_000);
      expect(one.events.completed.length + one.events.failedFrames).toBe(accepted);
      expect(one.channel.stats().txFailed).toBe(one.events.failedFrames);
      // A failed frame did not reach the bus, and every other frame did.
      expect(two.events.received.map(({ id }) => id)).toEqual(
        one.events.completed.map(({ id }) => id),
      );
    });

    it('numbers what it accepts, and tells each outcome under its number', async () => {
      for (let i = 0; i < 3; i++) send(one, i, 0, 8);
      await completed(3);
      for (let i = 0; i < 2; i++) send(one, i, 0, 8);
      await one.channel.configure({ group: 'bitrate', bitrate: 250_000 });
      await one.channel.configure({ group: 'bitrate', bitrate: 500_000 });
      await rig.until(() => one.events.completed.length + one.events.failedFrames === 5);
      expect([one.events.failedFrames, one.events.lastFailed]).toEqual([2, 5]);
      send(one, 0x123, 0, 8);
      await completed(4);
      expect(one.events.completed.map(({ txNumber }) => txNumber)).toEqual([1, 2, 3, 6]);
      expect(two.events.received.every(({ txNumber }) => txNumber === 0)).toBe(true);
    });

    it('says no more once it is closed, and takes no more', async () => {
      send(one, 0x1, 0, 8);
      await completed(1);
      for (let i = 0; i < 10; i++) send(one, 0x100 + i, 0, 8);
      await one.channel.close();
      const { length } = one.events.all;
      const failed = one.events.failedFrames;
      send(two, 0x200, 0, 8);
      await rig.pass(20_000);
      expect(one.events.all).toHaveLength(length);
      expect(one.events.failedFrames).toBe(failed);
      expect(send(one, 0x1)).toBe('lost');
    });

    it('leaves its peer running when it is closed and opened again', async () => {
      await one.channel.close();
      one = await openCan(rig, ports[0]);
      send(one, 0x321, 0, 8);
      await received(1);
      expect(two.events.received).toMatchObject([{ id: 0x321 }]);
    });
  });

  describe('the filters of a CAN channel', () => {
    const hits = () => two.events.received.map(({ id, filterHit }) => [id, filterHit]);

    it('let only what fits them be heard, while the rest is acknowledged', async () => {
      await two.channel.close();
      two = await openCan(rig, ports[1], { filters: [{ id: 0x200, mask: 0x700 }] });
      for (const id of [0x1ff, 0x200, 0x2ff, 0x300]) send(one, id);
      await completed(4);
      await received(2);
      await rig.pass(2_000);
      expect(hits()).toEqual([
        [0x200, 1],
        [0x2ff, 1],
      ]);
    });

    it('are counted from one, and the first that fits is the one told', async () => {
      const filters = [
        { id: 0x100, mask: 0x700, extended: false },
        { id: 0x234 },
        { id: 0x200, mask: 0x700 },
        { id: 0x18ff0000, mask: 0x1fff0000, extended: true },
      ];
      await two.channel.close();
      two = await openCan(rig, ports[1], { filters });
      for (const id of [0x1ff, 0x234, 0x235, 0x300, 0x100]) send(one, id);
      for (const id of [0x18ff1134, 0x18fe1134, 0x100, 0x234]) send(one, id, extended);
      await completed(9);
      await received(6);
      await rig.pass(2_000);
      expect(hits()).toEqual([
        [0x1ff, 1],
        [0x234, 2],
        [0x235, 3],
        [0x100, 1],
        [0x18ff1134, 4],
        [0x234, 2],
      ]);
    });

    it('are none, which is zero, unless the channel was opened with some', async () => {
      for (const id of [0, 0x123, 0x7ff]) send(one, id);
      await received(3);
      expect(hits()).toEqual([
        [0, 0],
        [0x123, 0],
        [0x7ff, 0],
      ]);
    });

    it('do not stand in the way of what it sends itself', async () => {
      await one.channel.close();
      one = await openCan(rig, ports[0], { filters: [{ id: 0x700 }] });
      send(one, 0x123, 0, 8);
      await completed(1);
      await received(1);
      expect(one.events.completed).toMatchObject([{ id: 0x123, filterHit: 0 }]);
    });
  });

  describe('the modes of a CAN channel', () => {
    it.runIf(modes.includes('listen_only'))('let it hear without being able to speak', async () => {
      await two.channel.configure({ group: 'mode', mode: 'listen_only' });
      expect(send(two, 0x123)).toBe('listen_only');
      await two.channel.configure({ group: 'mode', mode: 'normal' });
      expect(send(two, 0x123)).toBe('accepted');
    });

    it.runIf(modes.includes('loopback'))('let it hear itself, and nobody else', async () => {
      await one.channel.configure({ group: 'mode', mode: 'loopback' });
      send(one, 0x123, 0, 8);
      await completed(1);
      await rig.until(() => one.events.received.length === 1);
      expect(one.events.received).toMatchObject([{ id: 0x123, dlc: 8 }]);
      expect(two.events.all).toEqual([]);
    });
  });

  describe.runIf(acknowledges)('a CAN channel that nobody acknowledges', () => {
    it('keeps its frames, reports errors, and is full at some point', async () => {
      await two.channel.close();
      let accepted = 0;
      while (send(one, 0x100 + (accepted % 0x100), 0, 8) === 'accepted') accepted += 1;
      expect(send(one, 0x123)).toBe('full');
      await rig.until(() => one.channel.stats().busState === 'error_passive');
      expect(one.channel.stats()).toMatchObject({ txPending: accepted, txFailed: 0 });
      expect(one.events.errors.length).toBeGreaterThan(0);
      expect(one.events.errors.every(({ flags }) => (flags & frameFlag.error) !== 0)).toBe(true);
      expect(one.events.states).toContain('error_passive');
      two = await openCan(rig, ports[1]);
      await received(accepted);
      expect(two.events.received).toHaveLength(accepted);
    });
  });
};
