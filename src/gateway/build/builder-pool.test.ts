import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { RpcPort } from '../../base/threads/rpc-port.ts';
import { BuilderPool, type BuilderThread } from './builder-pool.ts';

/** A thread with scripted answers, on this thread. */
class FakeThread extends EventEmitter implements BuilderThread {
  readonly inside = new EventEmitter();
  isEnded = false;

  constructor(offer: Record<string, (...values: never[]) => unknown>) {
    super();
    const port = {
      on: (event: string, listener: (message: unknown) => void) => this.inside.on(event, listener),
      postMessage: (message: unknown) => void this.emit('message', message),
    };
    new RpcPort(port, offer as never, () => undefined);
  }

  postMessage(message: unknown): void {
    this.inside.emit('message', message);
  }

  async terminate(): Promise<void> {
    this.isEnded = true;
  }
}

const runsOf = (...threads: FakeThread[]) => {
  let started = 0;
  const runs = new BuilderPool(
    () => threads[started++] as FakeThread,
    () => undefined,
  );
  return { runs, started: () => started };
};

describe('BuilderPool', () => {
  it('runs one thread at a time, and ends each', async () => {
    let finish: (file: string) => void = () => undefined;
    const slow = new FakeThread({ save: () => new Promise((resolve) => (finish = resolve)) });
    const quick = new FakeThread({ save: () => 'second' });
    const { runs, started } = runsOf(slow, quick);
    const text = new SharedArrayBuffer(0);
    const first = runs.run((builder) => builder.save(text, 'a'));
    const second = runs.run((builder) => builder.save(text, 'b'));
    await Promise.resolve();
    await Promise.resolve();
    expect(started()).toBe(1);
    finish('first');
    expect(await first).toBe('first');
    expect(slow.isEnded).toBe(true);
    expect(await second).toBe('second');
    expect(quick.isEnded).toBe(true);
  });

  it.each([
    ['runs out of memory', 'error', { code: 'ERR_WORKER_OUT_OF_MEMORY' }, 'capacity_exceeded'],
    ['throws', 'error', new Error('a defect'), 'internal_error'],
    ['just ends', 'exit', 1, 'internal_error'],
  ])('fails if the thread %s, and goes on with the next', async (_, event, value, code) => {
    const failing = new FakeThread({ save: () => new Promise(() => undefined) });
    const { runs } = runsOf(failing, new FakeThread({ save: () => 'next' }));
    const text = new SharedArrayBuffer(0);
    const first = runs.run((builder) => builder.save(text, 'a'));
    const second = runs.run((builder) => builder.save(text, 'b'));
    const refused = first.catch((thrown: unknown) => BusbarError.from(thrown).code);
    await Promise.resolve();
    await Promise.resolve();
    failing.emit(event, value);
    expect(await refused).toBe(code);
    expect(await second).toBe('next');
  });
});
