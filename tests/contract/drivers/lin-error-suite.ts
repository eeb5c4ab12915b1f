import { afterEach, beforeEach, describe, expect, it, type TestContext } from 'vitest';
import { frameFlag } from '../../../src/frame/frm2-layout.ts';
import { linChecksum } from '../../../src/frame/lin.ts';
import {
  type DriverFeatures,
  type DriverRig,
  hookOf,
  type OpenLin,
  openLin,
  type SetUpRig,
} from './driver-rig.ts';

const enhanced = frameFlag.enhancedChecksum;

export const describeLinErrors = (
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
    master = await openLin(rig, ports.master, { lin: { role: 'master', checksum: 'enhanced' } });
    slave = await openLin(rig, ports.slave, { lin: { role: 'slave', checksum: 'enhanced' } });
  });
  afterEach(async () => {
    for (const { channel, events } of [master, slave]) {
      const { errorFrames } = channel.stats();
      expect(events.errorFrames).toBe(errorFrames);
    }
    await rig.tearDown();
  });

  const write = (id: number, flags: number, ...values: number[]) =>
    master.channel.masterWrite(id, flags, Uint8Array.from(values), 0, values.length);
  const answer = ({ channel }: OpenLin, id: number, flags: number, ...values: number[]) =>
    channel.setResponse(id, flags, Uint8Array.from(values), 0, values.length);
  const read = (id: number, flags: number, length: number) =>
    master.channel.masterRead(id, flags, length, (outcome) => outcomes.push(outcome));
  const readTo = (count: number) => rig.until(() => outcomes.length >= count);
  const received = ({ events }: OpenLin) =>
    events.all.map(({ kind, id, status }) => `${kind} ${id} ${status}`);

  describe('a checksum on a LIN bus', () => {
    const wrong = { kind: 'rx_frame', bus: 'lin', status: 'checksum_error' };

    it('that is wrong fails the read, and is told with the bytes as they came', async (context) => {
      answer(slave, 0x21, enhanced, 1, 2);
      await hookOf(rig, 'spoilChecksums', context)(ports.slave, 1);
      read(0x21, enhanced, 2);
      read(0x21, enhanced, 2);
      await readTo(2);
      expect(outcomes).toEqual(['checksum_error', 'answered']);
      expect(received(master)).toEqual(['rx_frame 33 checksum_error', 'rx_frame 33 ok']);
      const flags = enhanced | frameFlag.checksumError;
      expect(master.events.errors).toMatchObject([{ ...wrong, flags, dlc: 2, data: '0102' }]);
      const right = linChecksum(true, 0x21, Uint8Array.of(1, 2), 0, 2);
      expect(master.events.all.map(({ checksum }) => checksum === right)).toEqual([false, true]);
      expect(master.channel.stats()).toMatchObject({ rxFrames: 1, errorFrames: 1 });
    });

    it.each([
      ['classic', 'enhanced', 0, enhanced],
      ['enhanced', 'classic', enhanced, 0],
    ])('that is %s is wrong to a read that expects the %s model', async (...row) => {
      const [, , sent, asked] = row;
      answer(slave, 0x21, sent, 1, 2);
      read(0x21, asked, 2);
      read(0x21, sent, 2);
      await readTo(2);
      expect(outcomes).toEqual(['checksum_error', 'answered']);
      expect(master.events.all).toMatchObject([
        { ...wrong, id: 0x21, flags: asked | frameFlag.checksumError, data: '0102' },
        { id: 0x21, flags: sent, status: 'ok', data: '0102' },
      ]);
    });

    it('of the other model is wrong to a slave that is written to, not to the master', async () => {
      write(0x10, 0, 1, 2);
      write(0x11, enhanced, 3, 4);
      await rig.until(() => slave.events.all.length >= 2);
      expect(slave.events.all).toMatchObject([
        { ...wrong, id: 0x10, flags: enhanced | frameFlag.checksumError, data: '0102' },
        { id: 0x11, flags: enhanced, status: 'ok', data: '0304' },
      ]);
      expect(received(master)).toEqual(['tx_complete 16 ok', 'tx_complete 17 ok']);
      expect(slave.channel.stats()).toMatchObject({ rxFrames: 1, errorFrames: 1 });
    });
  });

  describe('a collision on a LIN bus', () => {
    const needCollisions = ({ skip }: TestContext): void => {
      if (!ports.collides) skip('nodes of this bench do not notice that others speak too');
    };
    const collision = {
      kind: 'rx_frame',
      bus: 'lin',
      id: 0x10,
      flags: frameFlag.error,
      status: 'collision',
      data: '',
    };

    it('fails a write, and is told to everyone who spoke', async (context) => {
      needCollisions(context);
      answer(slave, 0x10, enhanced, 0x0f);
      expect(write(0x10, enhanced, 0xf0)).toBe('accepted');
      await rig.until(() => slave.events.all.length > 0 && master.events.all.length > 0);
      expect(master.events.all).toMatchObject([collision]);
      expect(slave.events.all).toMatchObject([collision]);
      expect(master.events.failedFrames).toBe(1);
      expect(master.channel.stats()).toMatchObject({ txFrames: 0, txFailed: 1, errorFrames: 1 });
      expect(slave.channel.stats()).toMatchObject({ rxFrames: 0, errorFrames: 1 });
    });

    it('fails a read that two nodes answer', async (context) => {
      needCollisions(context);
      answer(slave, 0x10, enhanced, 0x0f);
      answer(master, 0x10, enhanced, 0xf0);
      read(0x10, enhanced, 1);
      await readTo(1);
      expect(outcomes).toEqual(['collision']);
      expect(master.events.all).toMatchObject([collision]);
      // The read failed, and its own outcome reports it.
      expect(master.events.failedFrames).toBe(0);
    });

    it('is over with its frame', async (context) => {
      needCollisions(context);
      answer(slave, 0x10, enhanced, 0x0f);
      write(0x10, enhanced, 0xf0);
      await rig.until(() => master.events.failedFrames === 1);
      slave.channel.clearResponse(0x10);
      write(0x10, enhanced, 0xf0);
      await rig.until(() => slave.events.received.length > 0);
      expect(slave.events.received).toMatchObject([{ id: 0x10, data: 'F0' }]);
      expect(master.events.completed).toMatchObject([{ id: 0x10, data: 'F0' }]);
    });
  });

  describe('a header on a LIN bus that nobody answers', () => {
    const silence = {
      kind: 'rx_frame',
      bus: 'lin',
      status: 'no_response',
      flags: frameFlag.noResponse,
      data: '',
      checksum: 0,
    };

    it('is told with the length that was asked for', async () => {
      for (const length of [0, 1, 8]) read(0x20 + length, enhanced, length);
      await readTo(3);
      expect(outcomes).toEqual(Array(3).fill('no_response'));
      expect(master.events.all).toMatchObject([
        { ...silence, id: 0x20, dlc: 0 },
        { ...silence, id: 0x21, dlc: 1 },
        { ...silence, id: 0x28, dlc: 8 },
      ]);
      expect(master.channel.stats()).toMatchObject({ rxFrames: 0, errorFrames: 3, txPending: 0 });
    });

    it('does not hold up what comes behind it', async () => {
      answer(slave, 0x21, enhanced, 7);
      read(0x22, enhanced, 1);
      write(0x10, enhanced, 1);
      read(0x21, enhanced, 1);
      await readTo(2);
      expect(outcomes).toEqual(['no_response', 'answered']);
      expect(received(master)).toEqual([
        'rx_frame 34 no_response',
        'tx_complete 16 ok',
        'rx_frame 33 ok',
      ]);
    });

    it('may have an answer the next time', async (context) => {
      answer(slave, 0x21, enhanced, 7);
      await hookOf(rig, 'dropResponses', context)(ports.slave, 1);
      read(0x21, enhanced, 1);
      read(0x21, enhanced, 1);
      await readTo(2);
      expect(outcomes).toEqual(['no_response', 'answered']);
      expect(slave.events.completed).toMatchObject([{ id: 0x21, data: '07' }]);
    });

    it('goes unanswered also by a node that only listens', async ({ skip }) => {
      if (!slave.channel.capabilities.modes.includes('listen_only')) {
        skip('LIN ports of this driver cannot only listen');
      }
      answer(slave, 0x21, enhanced, 7);
      await slave.channel.configure({ group: 'mode', mode: 'listen_only' });
      read(0x21, enhanced, 1);
      await readTo(1);
      expect(outcomes).toEqual(['no_response']);
      expect(slave.events.completed).toEqual([]);
    });
  });
};
