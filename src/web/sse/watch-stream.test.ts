import { describe, expect, it } from 'vitest';
import { ScratchPool, scratchBytes } from '../../base/scratch-pool.ts';
import type { GatewayInstance, GatewaySignal } from '../../gateway/instances/instance-record.ts';
import { StallingSocket } from '../stream/testing/stalling-socket.ts';
import { SseBody } from './sse-body.ts';
import { WatchEncoder } from './watch-stream.ts';

const entry = (id: string, unit: string | null = null): GatewaySignal => ({
  id,
  type: 'int64',
  producer: 'software',
  unit,
  value: '1',
  label: null,
  valid: true,
  quality: 'good',
  observed_us: 5,
  error: null,
  binding_total: 0,
  bindings: [],
});

const openStream = () => {
  const socket = new StallingSocket();
  const body = new SseBody(new ScratchPool());
  const sink = body.sink(new WatchEncoder('a"b'));
  let ends = 0;
  const response = {
    chunkedEncoding: false,
    end: () => {
      ends += 1;
      return response as never;
    },
  };
  body.open({ socket, response });
  const text = () => Buffer.concat(socket.writes).toString();
  return { socket, body, sink, text, ends: () => ends };
};

describe('a stream of instances', () => {
  it('writes signals, the status and the end as server-sent events', () => {
    const { sink, text, ends } = openStream();
    sink.item({ instance: 'a"b', tasks: [] } as unknown as GatewayInstance, 'status');
    expect(sink.item(entry('one', '°C'), 'signals')).toBe(true);
    expect(sink.item(entry('two'), 'signals')).toBe(true);
    sink.flush();
    sink.flush();
    sink.end('unloaded');
    const signals = JSON.stringify([entry('one', '°C'), entry('two')]);
    expect(text()).toBe(
      [
        'event: status',
        'data: {"instance":"a\\"b","tasks":[]}',
        '',
        'event: signals',
        `data: {"instance":"a\\"b","signals":${signals}}`,
        '',
        'event: end',
        'data: {"instance":"a\\"b","reason":"unloaded"}',
        '',
        '',
      ].join('\n'),
    );
    expect(ends()).toBe(1);
  });

  it('takes no more signals into an event that is large enough', () => {
    const { sink, socket } = openStream();
    let signals = 0;
    while (socket.writes.length === 0) sink.item(entry(`signal-${++signals}`), 'signals');
    expect(signals).toBeGreaterThan(100);
    sink.flush();
    expect(socket.writes).toHaveLength(1);
  });

  it('has events of their own for the records of a part', () => {
    const { sink, text } = openStream();
    sink.item(entry('one'), 'signals');
    for (const task of ['1', '2']) sink.item(task, 'tasks');
    sink.flush();
    expect(text()).toContain('}]}\n\nevent: tasks\ndata: {"instance":"a\\"b","tasks":[1,2]}\n\n');
  });

  it('sends a signal that is larger than a batch in several, whole', () => {
    const { sink, socket, text } = openStream();
    const large = entry('large', '€'.repeat(65_536));
    sink.item(large, 'signals');
    sink.flush();
    expect(socket.writes.length).toBeGreaterThan(2);
    expect(Math.max(...socket.writes.map(({ length }) => length))).toBeLessThanOrEqual(
      scratchBytes,
    );
    const data = /^data: (.*)$/m.exec(text())?.[1] ?? '';
    expect(JSON.parse(data).signals).toEqual([large]);
  });

  it('is not ready while the client has not taken all of it', () => {
    const { sink, socket } = openStream();
    socket.isStalled = true;
    sink.item(entry('one'), 'signals');
    sink.flush();
    expect(sink.isReady).toBe(false);
    socket.release();
    expect(sink.isReady).toBe(true);
  });

  it('tells several instances apart, and ends with the last of them', () => {
    const { body, sink, text, ends } = openStream();
    const other = body.sink(new WatchEncoder('c'));
    sink.end('unloaded');
    other.item(entry('one'), 'signals');
    other.flush();
    expect(ends()).toBe(0);
    other.end('shut_down');
    expect(ends()).toBe(1);
    expect([...text().matchAll(/"instance":("[^,]*"),/g)].map(([, name]) => name)).toEqual([
      '"a\\"b"',
      '"c"',
      '"c"',
    ]);
  });
});
