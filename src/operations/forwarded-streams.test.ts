import { describe, expect, it } from 'vitest';
import { Deferred } from '../base/deferred.ts';
import { BusbarError } from '../base/errors/busbar-error.ts';
import type { SubscriptionHandle } from '../base/subscription.ts';
import { type Caller, Dispatcher } from './dispatcher.ts';
import { partWatch } from './testing/sample-operations.ts';

type Part = { part_id: string; store: string };

const caller: Caller = { face: 'cli', project: '/bench' };
const benchWatch = {
  ...partWatch,
  execution: { ...partWatch.execution, place: 'bench' },
} as const;
const part = (part_id: string): Part => ({ part_id, store: 'left' });

/** A dispatcher with a caller, and one in the thread that produces the records. */
const setUp = () => {
  const reported: unknown[] = [];
  let ready = (): void => undefined;
  const reply = {
    isReady: true,
    onReady: (callback: () => void) => {
      ready = callback;
    },
    message: (value: object) => reported.push(value),
    batch: () => undefined,
    end: (result: object) => reported.push(result),
    fail: (thrown: unknown) => reported.push(BusbarError.from(thrown).code),
  };
  const refused = new Deferred<void>();
  let emit: (record: Part) => void = () => undefined;
  let signal: AbortSignal | undefined;
  let wasAsked: unknown;
  const bench = new Dispatcher([benchWatch]).bindSource(benchWatch, (call, ending, into) => {
    [wasAsked, signal, emit] = [call.arguments, ending, into];
    const ended = new Promise<void>((resolve) => {
      ending.addEventListener('abort', () => resolve(), { once: true });
    });
    return Promise.race([ended, refused.promise]);
  });
  const client = new Dispatcher([benchWatch])
    .bindSink(benchWatch, ({ arguments: { limit = 0 } }, into) => {
      let source: SubscriptionHandle | undefined;
      let left = limit;
      const end = (reason: string): void => {
        if (!source) return;
        source.close();
        source = undefined;
        into.end({ reason });
      };
      return {
        kind: 'recv',
        get isReady() {
          return into.isReady;
        },
        item: (record, replaced) => {
          into.message(replaced > 0 ? { ...record, replaced } : record);
          left -= 1;
          return true;
        },
        flush: () => {
          if (left === 0) end('count');
        },
        end,
        close: () => source?.close(),
        attach: (attached) => {
          source = attached;
          into.onReady(() => attached.resume());
        },
      };
    })
    .forwardTo('bench', ({ id }, input, from) => bench.invoke(id, input, from));
  return {
    bench,
    client,
    told: reported,
    setReady: (isReady: boolean) => {
      reply.isReady = isReady;
      if (isReady) ready();
    },
    open: (input: object) => client.openStream('part.watch', input, caller, reply),
    emit: (record: Part) => emit(record),
    refuse: (error: BusbarError) => refused.reject(error),
    wasAsked: () => wasAsked,
    isAborted: () => signal?.aborted,
  };
};

describe('A stream that another thread makes the records of', () => {
  it('is opened by its sink, and asks the source what its caller asked for', async () => {
    const { client, open, wasAsked, emit, told: reported } = setUp();
    expect(client.isStream('part.watch')).toBe(true);
    await open({ tag: ['x'] });
    expect(wasAsked()).toEqual({ tag: ['x'], limit: 5 });
    emit(part('p1'));
    expect(reported).toEqual([part('p1')]);
  });

  it('ends its source as soon as the sink has had enough', async () => {
    const { open, emit, told: reported, isAborted } = setUp();
    await open({ limit: 1 });
    expect(isAborted()).toBe(false);
    emit(part('p1'));
    expect(isAborted()).toBe(true);
    expect(reported).toEqual([part('p1'), { reason: 'count' }]);
  });

  it('holds the newest record for a caller that is not ready, and counts those that it replaced', async () => {
    const { open, emit, told: reported, setReady } = setUp();
    await open({});
    setReady(false);
    for (const id of ['p1', 'p2', 'p3']) emit(part(id));
    expect(reported).toEqual([]);
    setReady(true);
    expect(reported).toEqual([{ ...part('p3'), replaced: 2 }]);
  });

  it('delivers the record that it holds before its end', async () => {
    const { client, open, emit, told: reported, setReady } = setUp();
    await open({});
    setReady(false);
    emit(part('p1'));
    client.endForwardedStreams();
    expect(reported).toEqual([part('p1'), { reason: 'shut_down' }]);
  });

  it('ends its source when the caller leaves', async () => {
    const { open, isAborted } = setUp();
    const stream = await open({});
    stream.close();
    expect(isAborted()).toBe(true);
  });

  it('tells the caller why the source refused', async () => {
    const { open, refuse, told: reported, isAborted } = setUp();
    await open({});
    refuse(new BusbarError('channel_not_open'));
    await expect.poll(() => reported).toEqual(['channel_not_open']);
    expect(isAborted()).toBe(true);
  });

  it('ends with all others when the daemon does', async () => {
    const { client, open, told: reported, isAborted } = setUp();
    await open({});
    client.endForwardedStreams();
    expect(reported).toEqual([{ reason: 'shut_down' }]);
    expect(isAborted()).toBe(true);
  });

  it('refuses wrong arguments before anything is forwarded', async () => {
    const { open, wasAsked } = setUp();
    await expect(open({ limit: 'x' })).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(wasAsked()).toBeUndefined();
  });

  it.each([
    ['the thread that makes the records', 'bench'],
    ['the thread that forwards', 'client'],
  ] as const)('is no call with one answer in %s', async (_, side) => {
    const dispatcher = setUp()[side];
    await expect(dispatcher.invoke('part.watch', {}, caller)).rejects.toMatchObject({
      code: 'operation_not_found',
    });
  });
});
