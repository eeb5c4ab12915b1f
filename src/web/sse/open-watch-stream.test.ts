import { describe, expect, it } from 'vitest';
import { ScratchPool, scratchBytes } from '../../base/scratch-pool.ts';
import type { GatewayInstance, GatewaySignal } from '../../gateway/instances/instance-record.ts';
import { StallingSocket } from '../stream/testing/stalling-socket.ts';
import { WatchStream } from './open-watch-stream.ts';

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
  const stream = new WatchStream(new ScratchPool());
  const outlet = stream.outletFor('a"b');
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
  return { socket, stream, outlet, text, ends: () => ends };
};

describe('WatchStream', () => {
  it('writes signals, the status and the end as server-sent events', () => {
    const { outlet, text, ends } = openStream();
    outlet.status({ instance: 'a"b', tasks: [] } as unknown as GatewayInstance);
    expect(outlet.signal(entry('one', '°C'))).toBe(true);
    expect(outlet.signal(entry('two'))).toBe(true);
    outlet.flush();
    outlet.flush();
    outlet.end('unloaded');
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
    const { outlet, socket } = openStream();
    let signals = 1;
    while (outlet.signal(entry(`signal-${signals}`))) signals += 1;
    outlet.flush();
    expect(signals).toBeGreaterThan(100);
    expect(socket.writes).toHaveLength(1);
  });

  it('sends a signal that is larger than a batch in several, whole', () => {
    const { outlet, socket, text } = openStream();
    const large = entry('large', '€'.repeat(65_536));
    expect(outlet.signal(large)).toBe(false);
    outlet.flush();
    expect(socket.writes.length).toBeGreaterThan(2);
    expect(Math.max(...socket.writes.map(({ length }) => length))).toBeLessThanOrEqual(
      scratchBytes,
    );
    const data = /^data: (.*)$/m.exec(text())?.[1] ?? '';
    expect(JSON.parse(data).signals).toEqual([large]);
  });

  it('is not ready while the client has not taken all of it', () => {
    const { outlet, socket } = openStream();
    socket.isStalled = true;
    outlet.signal(entry('one'));
    outlet.flush();
    expect(outlet.isReady).toBe(false);
    socket.release();
    expect(outlet.isReady).toBe(true);
  });

  it('tells several instances apart, and ends with the last of them', () => {
    const { stream, outlet, text, ends } = openStream();
    const other = stream.outletFor('c');
    outlet.end('unloaded');
    other.signal(entry('one'));
    other.flush();
    expect(ends()).toBe(0);
    stream.end();
    expect(ends()).toBe(1);
    expect([...text().matchAll(/"instance":("[^,]*"),/g)].map(([, name]) => name)).toEqual([
      '"a\\"b"',
      '"c"',
      '"c"',
    ]);
  });
});
