import { MessageChannel } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { Deferred } from '../deferred.ts';
import { BusbarError } from '../errors/busbar-error.ts';
import { CallControl, moving, type RpcMethods, RpcPort } from './rpc-port.ts';

const channels: MessageChannel[] = [];

const connect = <O extends RpcMethods>(offer: O) => {
  const channel = new MessageChannel();
  channels.push(channel);
  const defects: unknown[] = [];
  const far = new RpcPort(channel.port2, offer, (thrown) => defects.push(thrown));
  const near = new RpcPort<O>(channel.port1, {}, () => undefined);
  return { near, far, defects };
};

afterEach(() => {
  for (const channel of channels.splice(0)) channel.port1.close();
});

describe('RpcPort', () => {
  it('carries arguments there and results back', async () => {
    const { near } = connect({ add: (a: number, b: number) => a + b });
    expect(await near.remote.add(2, 3)).toBe(5);
  });

  it('keeps the code and details of an error', async () => {
    const { near, defects } = connect({
      refuse: () => {
        throw new BusbarError('job_not_found', { details: { job_id: 'x' } });
      },
    });
    await expect(near.remote.refuse()).rejects.toMatchObject({
      code: 'job_not_found',
      details: { job_id: 'x' },
    });
    expect(defects).toEqual([]);
  });

  it('hides what a defect says from the caller and tells its own side', async () => {
    const secret = new Error('secret');
    const { near, defects } = connect({
      fail: () => {
        throw secret;
      },
    });
    const failure = await near.remote.fail().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'internal_error' });
    expect(String(failure)).not.toContain('secret');
    expect(defects).toEqual([secret]);
  });

  it('fails calls that wait for a thread that is gone, and later ones', async () => {
    const { near } = connect({ never: () => new Promise<void>(() => undefined) });
    const waiting = near.remote.never();
    near.break();
    await expect(waiting).rejects.toMatchObject({ code: 'internal_error' });
    await expect(near.remote.never()).rejects.toMatchObject({ code: 'internal_error' });
  });

  it('hands over the buffers of arguments and results that are moving, without a copy', async () => {
    const there: ArrayBuffer[] = [];
    const { near } = connect({
      fill: (buffer: ArrayBuffer) => {
        new Uint8Array(buffer).fill(7);
        there.push(buffer);
        return moving({ buffer, count: 1 }, [buffer]);
      },
    });
    const mine = new ArrayBuffer(4);
    const { buffer, count } = await near.remote.fill(moving(mine, [mine]));
    expect(mine.byteLength).toBe(0);
    expect(there[0]?.byteLength).toBe(0);
    expect([...new Uint8Array(buffer)]).toEqual([7, 7, 7, 7]);
    expect(count).toBe(1);
  });

  it('copies what is not moving', async () => {
    const { near } = connect({ echo: (buffer: ArrayBuffer) => ({ buffer }) });
    const mine = new ArrayBuffer(4);
    expect((await near.remote.echo(mine)).buffer.byteLength).toBe(4);
    expect(mine.byteLength).toBe(4);
  });

  it('fails calls while the other thread does not answer, except patient and delivered ones', async () => {
    const answer = new Deferred<string>();
    const received: string[] = [];
    let isOver = false;
    const { near } = connect({
      quick: () => answer.promise,
      slow: () => answer.promise,
      note: (text: string) => void received.push(text),
    });
    const hung = new BusbarError('instance_unresponsive');
    const [quick, slow] = [near.remote.quick(), near.remote.slow()];
    near.interrupt(hung, { patient: ['slow'], delivered: ['note'], isOver: () => isOver });
    await expect(quick).rejects.toBe(hung);
    await expect(near.remote.slow()).rejects.toBe(hung);
    await near.remote.note('late');
    answer.resolve('late');
    expect(await slow).toBe('late');
    isOver = true;
    expect(await near.remote.quick()).toBe('late');
    expect(received).toEqual(['late']);
  });

  it('does not let a call have an effect later that was given up before it began', async () => {
    const received: string[] = [];
    const { near } = connect({
      note: (text: string) => void received.push(text),
      free: (text: string) => void received.push(text),
      slow: (text: string) => void received.push(text),
    });
    await near.remote.note('before');
    const hung = new BusbarError('instance_unresponsive');
    const calls = [near.remote.note('given up'), near.remote.free('delivered')];
    const patient = near.remote.slow('patient');
    near.interrupt(hung, { patient: ['slow'], delivered: ['free'] });
    expect(await Promise.allSettled(calls)).toMatchObject([{ reason: hung }, { reason: hung }]);
    await patient;
    near.resume();
    await near.remote.note('after');
    expect(received).toEqual(['before', 'delivered', 'patient', 'after']);
  });

  describe('a call with a control', () => {
    const start = () => {
      const answer = new Deferred<string>();
      const controls: CallControl[] = [];
      const { near, far } = connect({
        run: (_text: string, control: CallControl) => {
          controls.push(control);
          return answer.promise;
        },
        sync: () => undefined,
      });
      return { near, far, answer, controls };
    };

    it('reports its progress until it is answered', async () => {
      const { near, answer, controls } = start();
      const reports: unknown[] = [];
      const report = (value: unknown) => void reports.push(value);
      const result = near.remote.run('a', new CallControl({ report }));
      await near.remote.sync();
      controls[0]?.report?.({ accepted: 1 });
      answer.resolve('done');
      expect(await result).toBe('done');
      controls[0]?.report?.({ accepted: 2 });
      await near.remote.sync();
      expect(reports).toEqual([{ accepted: 1 }]);
    });

    it('survives a listener that fails', async () => {
      const { near, answer, controls } = start();
      const failing = new CallControl({
        report: () => {
          throw new TypeError('a defect');
        },
      });
      const result = near.remote.run('a', failing);
      await near.remote.sync();
      controls[0]?.report?.(1);
      answer.resolve('done');
      expect(await result).toBe('done');
    });

    it.each(['web_stopped', undefined])(
      'is cancelled by its caller, and no other is: %s',
      async (reason) => {
        const { near, controls } = start();
        const leaving = new AbortController();
        void near.remote.run('a', new CallControl({ signal: leaving.signal }));
        void near.remote.run('b', new CallControl({ signal: new AbortController().signal }));
        await near.remote.sync();
        leaving.abort(reason);
        await near.remote.sync();
        expect(controls.map(({ signal }) => signal?.aborted)).toEqual([true, false]);
        if (reason !== undefined) expect(controls[0]?.signal?.reason).toBe(reason);
      },
    );

    it('is begun and cancelled where its caller had gone before', async () => {
      const { near, controls } = start();
      void near.remote.run('a', new CallControl({ signal: AbortSignal.abort('caller_gone') }));
      await near.remote.sync();
      expect(controls[0]?.signal?.reason).toBe('caller_gone');
    });

    it('is not cancelled once it is over', async () => {
      const { near, answer, controls } = start();
      const leaving = new AbortController();
      const result = near.remote.run('a', new CallControl({ signal: leaving.signal }));
      answer.resolve('done');
      await result;
      leaving.abort();
      await near.remote.sync();
      expect(controls[0]?.signal?.aborted).toBe(false);
    });

    it('is cancelled when the thread of its caller is gone', async () => {
      const { near, far, controls } = start();
      void near.remote.run('a', new CallControl({}));
      await near.remote.sync();
      far.break();
      expect(controls[0]?.signal?.aborted).toBe(true);
    });
  });
});
