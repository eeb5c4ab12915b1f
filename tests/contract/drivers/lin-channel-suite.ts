import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LinReadDone } from '../../../src/drivers/driver-channel.ts';
import { frameFlag } from '../../../src/frame/frm2-layout.ts';
import { linChecksum } from '../../../src/frame/lin.ts';
import {
  type DriverFeatures,
  type DriverRig,
  type OpenLin,
  openLin,
  type SetUpRig,
} from './driver-rig.ts';

const enhanced = frameFlag.enhancedChecksum;
const bytes = (...values: number[]) => Uint8Array.from(values);

export const describeLinChannel = (
  ports: NonNullable<DriverFeatures['lin']>,
  setUp: SetUpRig,
): void => {
  let rig: DriverRig;
  let master: OpenLin;
  let slave: OpenLin;
  let outcomes: string[];
  beforeEach(async () => {
    rig = await setUp();
    outcomes = [];
    master = await openLin(rig, ports.master, { lin: { role: 'master' } });
    slave = await openLin(rig, ports.slave, { lin: { role: 'slave' } });
  });
  afterEach(() => rig.tearDown());

  const done: LinReadDone = (outcome, _timestampUs, _checksum, payload, offset, length) => {
    const hex = Buffer.from(payload.subarray(offset, offset + length)).toString('hex');
    outcomes.push(`${outcome} ${hex}`.trim());
  };
  const write = (id: number, ...values: number[]) =>
    master.channel.masterWrite(id, enhanced, bytes(...values), 0, values.length);
  const answer = (id: number, ...values: number[]) =>
    slave.channel.setResponse(id, enhanced, bytes(...values), 0, values.length);
  const read = (id: number, length: number) =>
    master.channel.masterRead(id, enhanced, length, done);

  describe('a LIN channel', () => {
    it('writes: the slave receives the frame with its checksum, the master hears it is sent', async () => {
      for (let length = 1; length <= 8; length++) {
        expect(write(0x10 + length, ...bytes(1, 2, 3, 4, 5, 6, 7, 8).subarray(0, length))).toBe(
          'accepted',
        );
      }
      await rig.until(() => slave.events.received.length >= 8 && master.events.all.length >= 8);
      for (let length = 1; length <= 8; length++) {
        const data = bytes(1, 2, 3, 4, 5, 6, 7, 8).subarray(0, length);
        const expected = {
          bus: 'lin',
          id: 0x10 + length,
          flags: enhanced,
          dlc: length,
          status: 'ok',
          data: Buffer.from(data).toString('hex').toUpperCase(),
          checksum: linChecksum(true, 0x10 + length, data, 0, length),
        };
        expect(slave.events.received[length - 1]).toMatchObject({ ...expected, kind: 'rx_frame' });
        expect(master.events.all[length - 1]).toMatchObject({ ...expected, kind: 'tx_complete' });
      }
    });

    it('reads what the slave answers, which both hear of', async () => {
      answer(0x21, 0xaa, 0xbb);
      expect(read(0x21, 2)).toBe('accepted');
      await rig.until(() => outcomes.length > 0);
      expect(outcomes).toEqual(['answered aabb']);
      expect(master.events.received).toMatchObject([{ id: 0x21, data: 'AABB', flags: enhanced }]);
      expect(slave.events.completed).toMatchObject([
        { id: 0x21, data: 'AABB', flags: enhanced, txNumber: 0 },
      ]);
    });

    it('reads a response of a length that it does not know', async () => {
      answer(0x21, 1, 2, 3, 4, 5);
      read(0x21, 0);
      await rig.until(() => outcomes.length > 0);
      expect(outcomes).toEqual(['answered 0102030405']);
    });

    it('tells a header that nobody answers', async () => {
      read(0x22, 4);
      await rig.until(() => outcomes.length > 0);
      expect(outcomes).toEqual(['no_response']);
      expect(master.events.errors).toMatchObject([
        { id: 0x22, status: 'no_response', flags: frameFlag.noResponse, data: '' },
      ]);
    });

    it('answers with what was set last, and not at all once that is cleared', async () => {
      answer(0x23, 1);
      answer(0x23, 2);
      read(0x23, 1);
      await rig.until(() => outcomes.length === 1);
      slave.channel.clearResponse(0x23);
      read(0x23, 1);
      await rig.until(() => outcomes.length === 2);
      expect(outcomes).toEqual(['answered 02', 'no_response']);
    });

    it('keeps the order of what it is to do', async () => {
      answer(0x30, 7);
      write(0x01, 1);
      read(0x30, 1);
      write(0x02, 2);
      master.channel.syncBreak();
      write(0x03, 3);
      await rig.until(() => master.events.all.length >= 5);
      expect(master.events.all.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
        'tx_complete 1',
        'rx_frame 48',
        'tx_complete 2',
        'tx_complete 0',
        'tx_complete 3',
      ]);
      expect(master.events.all[3]?.flags).toBe(frameFlag.syncBreak);
      // The read has a number too, although it is reported differently.
      expect(master.events.all.map(({ txNumber }) => txNumber)).toEqual([1, 0, 3, 4, 5]);
    });

    it('lets only a master send headers', () => {
      expect(slave.channel.masterWrite(0x10, 0, bytes(1), 0, 1)).toBe('not_master');
      expect(slave.channel.masterRead(0x10, 0, 1, done)).toBe('not_master');
      expect(slave.channel.syncBreak()).toBe('not_master');
      expect(outcomes).toEqual([]);
    });

    it('marks the command to sleep and the pulse that ends it', async () => {
      const goToSleep = bytes(0, 255, 255, 255, 255, 255, 255, 255);
      master.channel.masterWrite(0x3c, 0, goToSleep, 0, 8);
      await rig.until(() => slave.events.all.length === 1);
      expect(slave.events.all).toMatchObject([{ id: 0x3c, flags: frameFlag.sleep }]);
      expect(slave.channel.wakeUp()).toBe('accepted');
      await rig.until(() => master.events.received.length === 1);
      expect(master.events.received).toMatchObject([{ flags: frameFlag.wakeUp }]);
      // For its sender, too, a pulse is an ordinary frame: in order, numbered and counted.
      expect(slave.events.completed).toMatchObject([
        { id: 0, flags: frameFlag.wakeUp, txNumber: 1 },
      ]);
      expect(slave.channel.stats()).toMatchObject({ txFrames: 1, txPending: 0 });
    });

    it('lets a master wake the bus between its frames', async () => {
      write(0x01, 1);
      expect(master.channel.wakeUp()).toBe('accepted');
      write(0x02, 2);
      await rig.until(() => slave.events.received.length >= 3);
      expect(slave.events.received.map(({ id, flags }) => [id, flags & frameFlag.wakeUp])).toEqual([
        [1, 0],
        [0, frameFlag.wakeUp],
        [2, 0],
      ]);
      expect(master.events.completed.map(({ txNumber }) => txNumber)).toEqual([1, 2, 3]);
    });

    it('wakes nobody while it only listens', async () => {
      await slave.channel.configure({ group: 'mode', mode: 'listen_only' });
      expect(slave.channel.wakeUp()).toBe('listen_only');
    });

    it('is full at some point, and every read it took has one outcome', async () => {
      let accepted = 0;
      while (read(0x10, 1) === 'accepted') accepted += 1;
      expect(read(0x10, 1)).toBe('full');
      expect(master.channel.stats().txPending).toBe(accepted);
      await rig.pass(20_000);
      await master.channel.close();
      expect(outcomes).toHaveLength(accepted);
      expect(new Set(outcomes)).toEqual(new Set(['no_response', 'aborted']));
      await rig.pass(20_000);
      expect(outcomes).toHaveLength(accepted);
    });

    it('counts what it did', async () => {
      answer(0x21, 1);
      write(0x10, 1);
      read(0x21, 1);
      read(0x22, 1);
      await rig.until(() => outcomes.length === 2);
      expect(master.channel.stats()).toMatchObject({ txFrames: 1, rxFrames: 1, errorFrames: 1 });
      expect(master.channel.stats().busyUs).toBeGreaterThan(0);
    });
  });
};
