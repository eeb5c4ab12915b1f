import { describe, expect, it } from 'vitest';
import { BusbarError } from '../base/errors/busbar-error.ts';
import type { HttpBinding, Operation } from './define.ts';
import { type Caller, Dispatcher, plainCaller } from './dispatcher.ts';
import type { StreamReply } from './stream.ts';
import {
  partList,
  partMove,
  partShow,
  partWatch,
  sampleOperations,
} from './testing/sample-operations.ts';

const caller: Caller = { face: 'cli', project: '/bench' };
const part = { part_id: 'p1', store: 'left' };

const refusalOf = async (call: Promise<unknown>) => {
  const outcome = await call.then(
    (result) => ({ result }),
    (thrown: unknown) => thrown,
  );
  return outcome instanceof BusbarError ? outcome.toRecord() : outcome;
};

describe('Dispatcher', () => {
  it('gives the handler the arguments, the caller and what was really given', async () => {
    const calls: unknown[] = [];
    const dispatcher = new Dispatcher(sampleOperations).bind(partList, (call) => {
      calls.push({ ...call, given: [...call.given] });
      return { parts: [part] };
    });
    const result = await dispatcher.invoke('part.list', { limit: 3, tag: ['x'] }, caller);
    expect(result).toEqual({ parts: [part] });
    expect(calls).toEqual([
      {
        arguments: { limit: 3, tag: ['x'], spare: false },
        given: ['limit', 'tag'],
        caller,
      },
    ]);
  });

  it('fills in the declared defaults, which do not count as given', async () => {
    const dispatcher = new Dispatcher(sampleOperations).bind(partList, (call) => {
      expect(call.arguments).toEqual({ limit: 10, spare: false });
      expect(call.given.size).toBe(0);
      return { parts: [] };
    });
    expect(await dispatcher.invoke('part.list', {}, caller)).toEqual({ parts: [] });
  });

  it('takes a field without a value for one that was left out', async () => {
    const dispatcher = new Dispatcher(sampleOperations).bind(partList, (call) => {
      expect([call.arguments, [...call.given]]).toEqual([{ limit: 10, spare: false }, []]);
      return { parts: [] };
    });
    expect(await dispatcher.invoke('part.list', { limit: undefined }, caller)).toEqual({
      parts: [],
    });
  });

  it('leaves the object of the caller alone', async () => {
    const dispatcher = new Dispatcher(sampleOperations).bind(partList, () => ({ parts: [] }));
    const input = { tag: ['x'] };
    await dispatcher.invoke('part.list', input, caller);
    expect(input).toEqual({ tag: ['x'] });
  });

  it('waits for a handler that takes its time', async () => {
    const dispatcher = new Dispatcher(sampleOperations).bind(partShow, async ({ arguments: a }) => {
      await Promise.resolve();
      return { part_id: a.part_id, store: 'left' };
    });
    expect(await dispatcher.invoke('part.show', { part_id: 'p1' }, caller)).toEqual(part);
  });

  it.each(['', 'part', 'part.nope', 'PART.SHOW', '__proto__', 'constructor'])(
    'knows no operation %j',
    async (id) => {
      const dispatcher = new Dispatcher(sampleOperations);
      expect(await refusalOf(dispatcher.invoke(id, {}, caller))).toMatchObject({
        code: 'operation_not_found',
        details: { operation_id: id },
      });
    },
  );

  it('never lets wrong arguments reach a handler or another thread', async () => {
    let reached = 0;
    const dispatcher = new Dispatcher(sampleOperations)
      .bind(partShow, () => {
        reached++;
        return part;
      })
      .forwardTo('bench', async () => void reached++);
    for (const id of ['part.show', 'part.move']) {
      const refusal = await refusalOf(dispatcher.invoke(id, { part_id: 5, store: 'left' }, caller));
      expect(refusal).toMatchObject({ code: 'invalid_argument' });
    }
    expect(reached).toBe(0);
  });

  it('sends what has no handler here to the thread it is declared for, as it came', async () => {
    const sent: unknown[] = [];
    const dispatcher = new Dispatcher(sampleOperations)
      .forwardTo('bench', async (operation, input, from) => {
        sent.push([operation.id, input, from]);
        return 'from the bench';
      })
      .forwardTo('client', async () => 'from the client');
    const input = { part_id: 'p1', store: 'left' };
    expect(await dispatcher.invoke('part.move', input, caller)).toBe('from the bench');
    expect(await dispatcher.invoke('part.list', {}, caller)).toBe('from the client');
    expect(sent).toEqual([['part.move', input, caller]]);
  });

  it('prepares what is declared so before it sends it on, and sends it in no other way', async () => {
    const sent: unknown[] = [];
    const prepared = { ...partMove, prepared: true } as const;
    const dispatcher = new Dispatcher([prepared]).forwardTo('bench', async (_operation, input) => {
      sent.push(input);
      return part;
    });
    const input = { part_id: 'p1', store: 'left' };
    expect(await refusalOf(dispatcher.invoke('part.move', input, caller))).toMatchObject({
      code: 'operation_not_found',
    });
    dispatcher.bindPreparation(prepared, async (request, { project }) => ({
      ...request,
      note: `of ${project}`,
    }));
    expect(await dispatcher.invoke('part.move', input, caller)).toEqual(part);
    expect(sent).toEqual([{ ...input, note: 'of /bench' }]);
  });

  it('prefers a handler of its own', async () => {
    const dispatcher = new Dispatcher(sampleOperations)
      .forwardTo('bench', async () => 'from the bench')
      .bind(partMove, () => part);
    const input = { part_id: 'p1', store: 'left' };
    expect(await dispatcher.invoke('part.move', input, caller)).toEqual(part);
  });

  it('says so where an operation runs in another process', async () => {
    const dispatcher = new Dispatcher(sampleOperations).forwardTo('bench', async () => null);
    expect(await refusalOf(dispatcher.invoke('part.label', { size: 'a6' }, caller))).toMatchObject({
      code: 'operation_not_found',
      message: 'The daemon does not run part.label',
      details: { operation_id: 'part.label' },
    });
  });

  it.each([
    ['at once', () => Promise.reject(new BusbarError('job_not_found'))],
    [
      'synchronously',
      () => {
        throw new BusbarError('job_not_found');
      },
    ],
  ])('passes on what a handler throws %s', async (_, handler) => {
    const dispatcher = new Dispatcher(sampleOperations).bind(partShow, handler);
    const refusal = await refusalOf(dispatcher.invoke('part.show', { part_id: 'p1' }, caller));
    expect(refusal).toMatchObject({ code: 'job_not_found' });
  });
});

describe('Dispatcher and calls over HTTP', () => {
  const move: Operation = {
    ...partMove,
    kept: ['store'],
    http: { ...(partMove.http as HttpBinding), needs: ['note'] },
    cli: { words: ['part', 'move'], only: ['plan_file'] },
  };
  const dispatcher = new Dispatcher([move]).bind(move, ({ arguments: values }) => values as never);
  const invoke = (input: object, face: Caller['face'] = 'http') =>
    dispatcher.invoke(move.id, { part_id: 'p1', ...input }, { face, project: null });

  it('accepts what the published schema allows', async () => {
    expect(await invoke({ store: 'left', note: 'x' })).toMatchObject({ store: 'left', note: 'x' });
  });

  it.each([
    ['lacks what only a request needs', { store: 'left' }, 'note', 'missing'],
    ['lacks what every caller needs', { note: 'x' }, 'store', 'missing'],
    [
      'has what only the command line has',
      { store: 'left', note: 'x', plan_file: 'a' },
      'plan_file',
      'unknown_field',
    ],
  ])('refuses what %s, and keeps what is always repeated', async (_, input, field, reason) => {
    const kept = 'store' in input ? { store: 'left' } : {};
    expect(await refusalOf(invoke(input))).toMatchObject({
      code: 'invalid_argument',
      details: { field, reason, ...kept },
    });
  });

  it('leaves the command line what only that has', async () => {
    expect(await invoke({ store: 'left', plan_file: 'a' }, 'cli')).toMatchObject({
      plan_file: 'a',
    });
  });
});

describe('Dispatcher and calls of another thread', () => {
  const cancelled = new BusbarError('operation_cancelled', {
    message: 'The caller disconnected during the send',
    details: { reason: 'caller_gone', accepted: 3 },
  });
  const failing = (thrown: unknown) =>
    new Dispatcher(sampleOperations).bind(partShow, () => Promise.reject(thrown));
  const signalOf = (reason: string): AbortSignal => AbortSignal.abort(reason);

  it('trusts the arguments, and fills in the defaults', async () => {
    const dispatcher = new Dispatcher(sampleOperations).bind(
      partList,
      ({ arguments: values, given }) => ({ values, given: [...given] }) as never,
    );
    expect(await dispatcher.execute('part.list', { limit: 1e9 }, caller)).toEqual({
      values: { limit: 1e9, spare: false },
      given: ['limit'],
    });
  });

  it('forwards none of them', async () => {
    const dispatcher = new Dispatcher(sampleOperations).forwardTo('bench', async () => null);
    const call = dispatcher.execute('part.move', { part_id: 'p1', store: 'left' }, caller);
    expect(await refusalOf(call)).toMatchObject({ code: 'operation_not_found' });
  });

  it.each([
    ['daemon_stopped', 'The daemon stopped before the operation completed'],
    ['web_stopped', 'The Web service stopped before the operation completed'],
  ])('says why a call was cancelled whose caller still waits: %s', async (reason, message) => {
    const from = { ...caller, signal: signalOf(reason) };
    const call = failing(cancelled).execute('part.show', { part_id: 'p1' }, from);
    expect(await refusalOf(call)).toMatchObject({
      code: 'operation_cancelled',
      message,
      details: { reason, accepted: 3 },
    });
  });

  it.each([
    ['its caller has cancelled', cancelled, AbortSignal.abort()],
    ['something else has cancelled', cancelled, new AbortController().signal],
    ['fails otherwise', new BusbarError('hardware_error'), signalOf('daemon_stopped')],
  ])('passes on what a call fails with that %s', async (_, thrown, signal) => {
    const call = failing(thrown).execute('part.show', { part_id: 'p1' }, { ...caller, signal });
    await expect(call).rejects.toBe(thrown);
  });
});

describe('Dispatcher and streams', () => {
  const sink: StreamReply = {
    isReady: true,
    onReady: () => undefined,
    message: () => undefined,
    batch: () => undefined,
    end: () => undefined,
    fail: () => undefined,
  };
  const operations = [...sampleOperations, partWatch];

  it('opens a stream into the sink, with arguments as a call has them', async () => {
    const opened: unknown[] = [];
    const stream = { close: () => undefined };
    const dispatcher = new Dispatcher(operations).bindStream(partWatch, (call, into) => {
      opened.push([call.arguments, [...call.given], call.caller, into]);
      return stream;
    });
    expect(dispatcher.isStream('part.watch')).toBe(true);
    expect(await dispatcher.openStream('part.watch', { tag: ['x'] }, caller, sink)).toBe(stream);
    expect(opened).toEqual([[{ tag: ['x'], limit: 5 }, ['tag'], caller, sink]]);
  });

  it.each([
    ['wrong arguments', 'part.watch', { limit: 'x' }, 'invalid_argument'],
    ['an unknown operation', 'part.nope', {}, 'operation_not_found'],
    ['an operation that is no stream', 'part.list', {}, 'operation_not_found'],
  ])('refuses to open %s', async (_, id, input, code) => {
    let reached = 0;
    const dispatcher = new Dispatcher(operations)
      .bind(partList, () => ({ parts: [] }))
      .bindStream(partWatch, () => {
        reached++;
        return { close: () => undefined };
      });
    expect(await refusalOf(dispatcher.openStream(id, input, caller, sink))).toMatchObject({ code });
    expect(reached).toBe(0);
  });

  it('passes on why a stream cannot be opened', async () => {
    const dispatcher = new Dispatcher(operations).bindStream(partWatch, async () => {
      throw new BusbarError('channel_not_open');
    });
    const refusal = await refusalOf(dispatcher.openStream('part.watch', {}, caller, sink));
    expect(refusal).toMatchObject({ code: 'channel_not_open' });
  });

  it('does not invoke a stream, nor forward it as a call', async () => {
    const dispatcher = new Dispatcher(operations)
      .bindStream(partWatch, () => ({ close: () => undefined }))
      .forwardTo('client', async () => 'from the client');
    expect(await refusalOf(dispatcher.invoke('part.watch', {}, caller))).toMatchObject({
      code: 'operation_not_found',
      details: { operation_id: 'part.watch' },
    });
  });
});

it('leaves of a caller what can be posted to another thread', () => {
  const { signal } = new AbortController();
  const whole: Caller = { ...caller, signal, report: () => undefined };
  expect(structuredClone(plainCaller(whole))).toEqual(caller);
});
