import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { encodeLine, linkProtocol, maxLineLength, type Request } from './protocol.ts';
import { hello, LinkBench } from './testing/link-bench.ts';

describe('Connection', () => {
  let bench: LinkBench;

  beforeEach(async () => {
    bench = new LinkBench();
    await bench.listen();
  });
  afterEach(() => bench.close());

  const failure = { code: 'daemon_unreachable' };

  describe('opening', () => {
    it('says hello first and learns whom it talks to', async () => {
      const opening = bench.open();
      const peer = await bench.accepted();
      expect(await peer.nextLine()).toEqual({
        busbar: linkProtocol,
        version: '1.0.0',
        pid: process.pid,
      });
      peer.send(hello);
      const link = await opening;
      expect(link?.daemon).toEqual(hello);
      link?.close();
      expect(bench.clock.pendingTimers).toBe(0);
    });

    it('finds nothing where no socket is, or one that nobody serves', async () => {
      expect(await bench.open(join(bench.folder, 'absent.sock'))).toBeNull();
      writeFileSync(join(bench.folder, 'dead.sock'), '');
      expect(await bench.open(join(bench.folder, 'dead.sock'))).toBeNull();
      expect(bench.clock.pendingTimers).toBe(0);
    });

    it('fails where the socket cannot be opened for another reason', async () => {
      writeFileSync(join(bench.folder, 'file'), '');
      await expect(bench.open(join(bench.folder, 'file', 'd.sock'))).rejects.toMatchObject(failure);
    });

    it('fails with what the daemon refuses it for, and leaves', async () => {
      const opening = bench.open();
      const peer = await bench.accepted();
      const refusal = new BusbarError('version_mismatch', { details: { daemon: '2.0.0' } });
      peer.send({ error: refusal.toRecord() });
      await expect(opening).rejects.toMatchObject({
        code: 'version_mismatch',
        details: { daemon: '2.0.0' },
      });
      await peer.left();
    });

    it('does not talk to a daemon of another protocol', async () => {
      const opening = bench.open();
      const peer = await bench.accepted();
      peer.send({ ...hello, busbar: linkProtocol + 1 });
      await expect(opening).rejects.toMatchObject({
        code: 'version_mismatch',
        details: { daemon: '9.9.9' },
      });
      await peer.left();
    });

    it('fails when the daemon hangs up without a word', async () => {
      const opening = bench.open();
      (await bench.accepted()).hangUp();
      await expect(opening).rejects.toMatchObject(failure);
      expect(bench.clock.pendingTimers).toBe(0);
    });

    it('times out with a daemon that says nothing', async () => {
      const opening = bench.open();
      const peer = await bench.accepted();
      bench.clock.advanceUs(4_999_000);
      expect(bench.clock.pendingTimers).toBe(1);
      bench.clock.advanceUs(1_000);
      await expect(opening).rejects.toMatchObject(failure);
      await peer.left();
    });

    it.each([
      ['no JSON', 'hello?\n'],
      ['no record', '7\n'],
      ['a record of something else', '{"ready":true}\n'],
      ['a line without end', 'x'.repeat(maxLineLength + 1)],
    ])('fails when what answers is no daemon: %s', async (_, text) => {
      const opening = bench.open();
      (await bench.accepted()).say(text);
      await expect(opening).rejects.toBeInstanceOf(BusbarError);
    });
  });

  describe('calling', () => {
    it('sends operation, arguments and project, each call under an id of its own', async () => {
      const { link, peer } = await bench.established();
      const calls = [link.call('job.show', { job_id: 'a' }, '/bench'), link.call('info', {}, null)];
      expect([await peer.nextLine(), await peer.nextLine()]).toEqual([
        { id: 1, operation: 'job.show', arguments: { job_id: 'a' }, project: '/bench' },
        { id: 2, operation: 'info', arguments: {}, project: null },
      ]);
      peer.send({ id: 2, result: 'second' });
      peer.send({ id: 1, result: 'first' });
      expect(await Promise.all(calls)).toEqual(['first', 'second']);
    });

    it('matches many answers to many calls, whatever order they come in', async () => {
      const { link, peer } = await bench.established();
      const calls = Array.from({ length: 200 }, (_, n) => link.call('echo', { n }, null));
      const requests: Request[] = [];
      while (requests.length < 200) requests.push(await peer.nextLine());
      for (const { id, arguments: values } of requests.reverse()) peer.send({ id, result: values });
      const results = await Promise.all(calls);
      expect(results).toEqual(Array.from({ length: 200 }, (_, n) => ({ n })));
    });

    it('understands answers however the stream is cut', async () => {
      const { link, peer } = await bench.established();
      const calls = [link.call('a', {}, null), link.call('b', {}, null)];
      const bytes = Buffer.from(
        encodeLine({ id: 1, result: 'Prüfstand ✓' }) + encodeLine({ id: 2, result: 2 }),
      );
      for (const byte of bytes) peer.say(Buffer.of(byte));
      expect(await Promise.all(calls)).toEqual(['Prüfstand ✓', 2]);
    });

    it('fails with the error that the daemon answers, code and details', async () => {
      const { link, peer } = await bench.established();
      const call = link.call('job.show', { job_id: 'x' }, null);
      const { id } = await peer.nextLine<Request>();
      const error = new BusbarError('job_not_found', {
        message: 'x is gone',
        details: { job_id: 'x' },
      });
      peer.send({ id, error: error.toRecord() });
      await expect(call).rejects.toMatchObject({
        name: 'BusbarError',
        code: 'job_not_found',
        message: 'x is gone',
        details: { job_id: 'x' },
      });
    });

    it('can go on after a call has failed', async () => {
      const { link, peer } = await bench.established();
      const failing = link.call('a', {}, null);
      peer.send({ id: 1, error: new BusbarError('job_not_found').toRecord() });
      await expect(failing).rejects.toMatchObject({ code: 'job_not_found' });
      const call = link.call('b', {}, null);
      peer.send({ id: 2, result: 'fine' });
      expect(await call).toBe('fine');
    });

    it('does not mind an answer that nobody waits for', async () => {
      const { link, peer } = await bench.established();
      const call = link.call('a', {}, null);
      peer.send({ id: 99, result: 'stray' });
      peer.send({ id: 1, result: 'mine' });
      peer.send({ id: 1, result: 'again' });
      expect(await call).toBe('mine');
    });

    it('fails every call that is open when the daemon hangs up', async () => {
      const { link, peer } = await bench.established();
      const calls = [link.call('a', {}, null), link.call('b', {}, null)];
      peer.hangUp();
      const outcomes = await Promise.allSettled(calls);
      expect(outcomes).toMatchObject([
        { status: 'rejected', reason: failure },
        { status: 'rejected', reason: failure },
      ]);
    });

    it('fails a call that is made when the daemon has hung up', async () => {
      const { link, peer } = await bench.established();
      peer.hangUp();
      await link.closed();
      await expect(link.call('a', {}, null)).rejects.toMatchObject(failure);
    });

    it.each([
      ['no JSON', 'nonsense\n'],
      ['no record', 'null\n'],
      ['a line without end', 'x'.repeat(maxLineLength + 1)],
    ])('fails what is open when the daemon talks nonsense: %s', async (_, text) => {
      const { link, peer } = await bench.established();
      const call = link.call('a', {}, null);
      peer.say(text);
      await expect(call).rejects.toBeInstanceOf(BusbarError);
    });
  });

  describe('ending', () => {
    it('lets the daemon see that the caller has left', async () => {
      const { link, peer } = await bench.established();
      link.close();
      await peer.left();
      await link.closed();
    });

    it('tells when the daemon has hung up, also afterwards', async () => {
      const { link, peer } = await bench.established();
      const closed = link.closed();
      peer.hangUp();
      await closed;
      expect(await link.closed()).toBeUndefined();
    });
  });
});
