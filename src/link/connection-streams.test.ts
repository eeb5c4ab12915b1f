import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { encodeLine, maxBatch } from './protocol.ts';
import { LinkBench } from './testing/link-bench.ts';

describe('Connection and answers that come in pieces', () => {
  let bench: LinkBench;

  beforeEach(async () => {
    bench = new LinkBench();
    await bench.listen();
  });
  afterEach(() => bench.close());

  const failure = { code: 'daemon_unreachable' };

  describe('progress', () => {
    it('is told to who asked for it, until the answer comes', async () => {
      const { link, peer } = await bench.established();
      const reported: unknown[] = [];
      const call = link.call('a', {}, null, (progress) => reported.push(progress));
      const other = link.call('b', {}, null);
      peer.send({ id: 1, progress: { accepted: 1 } });
      peer.send({ id: 2, progress: { accepted: 7 } });
      peer.send({ id: 1, progress: { accepted: 2 } });
      peer.send({ id: 1, result: 'done' });
      peer.send({ id: 1, progress: { accepted: 3 } });
      peer.send({ id: 2, result: 'too' });
      expect(await Promise.all([call, other])).toEqual(['done', 'too']);
      expect(reported).toEqual([{ accepted: 1 }, { accepted: 2 }]);
    });
  });

  describe('streaming', () => {
    const reported: unknown[] = [];
    const listener = {
      message: (message: object) => void reported.push(message),
      batch: (bytes: Uint8Array, records: number) => void reported.push([records, ...bytes]),
    };
    beforeEach(() => void reported.splice(0));

    const batchOf = (id: number, records: number, bytes: readonly number[]): Buffer =>
      Buffer.concat([
        Buffer.from(encodeLine({ id, batch: { bytes: bytes.length, records } })),
        Buffer.from(bytes),
      ]);

    it('asks like a call and passes on messages and batches in their order', async () => {
      const { link, peer } = await bench.established();
      const stream = link.stream('watch', { channel: ['a'] }, '/bench', listener);
      expect(await peer.nextLine()).toEqual({
        id: 1,
        operation: 'watch',
        arguments: { channel: ['a'] },
        project: '/bench',
      });
      peer.send({ id: 1, message: { channels: [] } });
      peer.say(batchOf(1, 2, [0x0a, 0x7b, 0x0a]));
      peer.say(batchOf(1, 1, [5]));
      peer.send({ id: 1, message: { event: 'gap' } });
      peer.send({ id: 1, result: { reason: 'count' } });
      expect(await stream).toEqual({ reason: 'count' });
      expect(reported).toEqual([{ channels: [] }, [2, 0x0a, 0x7b, 0x0a], [1, 5], { event: 'gap' }]);
    });

    it('understands batches however the stream is cut', async () => {
      const { link, peer } = await bench.established();
      const stream = link.stream('watch', {}, null, listener);
      const bytes = Buffer.concat([
        batchOf(1, 1, [0x0a, 0x0a, 0x22]),
        Buffer.from(encodeLine({ id: 1, result: {} })),
      ]);
      for (const byte of bytes) peer.say(Buffer.of(byte));
      await stream;
      expect(reported).toEqual([[1, 0x0a, 0x0a, 0x22]]);
    });

    it('fails with the error that ends it', async () => {
      const { link, peer } = await bench.established();
      const stream = link.stream('watch', {}, null, listener);
      peer.send({ id: 1, error: new BusbarError('channel_not_open').toRecord() });
      await expect(stream).rejects.toMatchObject({ code: 'channel_not_open' });
    });

    it('fails when the daemon hangs up in the middle of a batch', async () => {
      const { link, peer } = await bench.established();
      const stream = link.stream('watch', {}, null, listener);
      peer.say(batchOf(1, 1, [1, 2, 3]).subarray(0, -1));
      peer.hangUp();
      await expect(stream).rejects.toMatchObject(failure);
      expect(reported).toEqual([]);
    });

    it('tells nothing more once its listener has closed the link', async () => {
      const { link, peer } = await bench.established();
      const stream = link.stream('watch', {}, null, { ...listener, message: () => link.close() });
      const end = encodeLine({ id: 1, result: {} });
      peer.say(
        Buffer.concat([
          Buffer.from(encodeLine({ id: 1, message: {} })),
          batchOf(1, 1, [1]),
          Buffer.from(end),
        ]),
      );
      await expect(stream).rejects.toMatchObject(failure);
      expect(reported).toEqual([]);
    });

    it('fails with what its listener throws, and leaves', async () => {
      const { link, peer } = await bench.established();
      const stream = link.stream('watch', {}, null, {
        ...listener,
        batch: () => {
          throw new BusbarError('output_failed');
        },
      });
      peer.say(batchOf(1, 1, [1]));
      await expect(stream).rejects.toMatchObject({ code: 'output_failed' });
      await peer.left();
    });

    it.each([
      ['no number', { bytes: '3', records: 1 }],
      ['a negative number', { bytes: -1, records: 1 }],
      ['more than a batch may hold', { bytes: maxBatch + 1, records: 1 }],
      ['nothing', null],
    ])('fails when a batch is announced with %s', async (_, batch) => {
      const { link, peer } = await bench.established();
      const stream = link.stream('watch', {}, null, listener);
      peer.send({ id: 1, batch });
      await expect(stream).rejects.toMatchObject(failure);
    });
  });
});
