import { describe, expect, it } from 'vitest';
import { ScratchPool, scratchBytes } from '../../base/scratch-pool.ts';
import type { GatewayInstance, GatewaySignal } from '../../gateway/instances/instance-record.ts';
import { StallingSocket } from '../stream/testing/stalling-socket.ts';
import { WatchStream } from './watch-stream.ts';

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
  bindings: [],
});

const openStream = () => {
  const socket = new StallingSocket();
  const stream = new WatchStream(new ScratchPool(), 'a"b');
  let ends = 0;
  const response = {
    chunkedEncoding: false,
    end: () => {
      ends += 1;
      return response as never;
    },
  };
  stream.open({ socket, response }, () => undefined);
  const text = () => Buffer.concat(socket.writes).toString();
  return { socket, stream, text, ends: () => ends };
};

describe('WatchStream', () => {
  it('writes signals, the status and the end as server-sent events', () => {
    const { stream, text, ends } = openStream();
    stream.status({ instance: 'a"b', tasks: [] } as unknown as GatewayInstance);
    expect(stream.signal(entry('one', '°C'))).toBe(true);
    expect(stream.signal(entry('two'))).toBe(true);
    stream.flush();
    stream.flush();
    stream.end('unloaded');
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
        'data: {"reason":"unloaded"}',
        '',
        '',
      ].join('\n'),
    );
    expect(ends()).toBe(1);
  });

  it('takes no more signals into an event that is large enough', () => {
    const { stream, socket } = openStream();
    let signals = 1;
    while (stream.signal(entry(`signal-${signals}`))) signals += 1;
    stream.flush();
    expect(signals).toBeGreaterThan(100);
    expect(socket.writes).toHaveLength(1);
  });

  it('sends a signal that is larger than a batch in several, whole', () => {
    const { stream, socket, text } = openStream();
    const large = entry('large', '€'.repeat(65_536));
    expect(stream.signal(large)).toBe(false);
    stream.flush();
    expect(socket.writes.length).toBeGreaterThan(2);
    expect(Math.max(...socket.writes.map(({ length }) => length))).toBeLessThanOrEqual(
      scratchBytes,
    );
    const data = /^data: (.*)$/m.exec(text())?.[1] ?? '';
    expect(JSON.parse(data).signals).toEqual([large]);
  });

  it('is not ready while the client has not taken all of it', () => {
    const { stream, socket } = openStream();
    socket.isStalled = true;
    stream.signal(entry('one'));
    stream.flush();
    expect(stream.isReady).toBe(false);
    socket.release();
    expect(stream.isReady).toBe(true);
  });
});
