import { describe, expect, it } from 'vitest';
import { ScratchPool, scratchBytes } from '../../base/scratch-pool.ts';
import type { Sample } from '../../signal/live/sample-record.ts';
import { StallingSocket } from '../stream/testing/stalling-socket.ts';
import { sampleEncoder } from './sample-stream.ts';
import { SseBody } from './sse-body.ts';

const aSample = (given: Partial<Sample> = {}): Sample => ({
  sequence: 42,
  signal: 'CoolantTemp',
  value: '-14.5',
  raw: '255',
  label: 'broken',
  unit: '°C',
  valid: true,
  timestamp_us: 1_700_000_000_000_000,
  event_id: 7,
  mux: null,
  source_address: null,
  ...given,
});

const openStream = (chunkedEncoding = false) => {
  const socket = new StallingSocket();
  const body = new SseBody(new ScratchPool());
  const sink = body.sink(sampleEncoder);
  const response = { chunkedEncoding, end: () => response as never };
  body.open({ socket, response });
  return { socket, body, sink };
};

const textOf = ({ writes }: StallingSocket): string => Buffer.concat(writes).toString();

describe('a stream of samples', () => {
  it('writes samples, gaps and comments as server-sent events', () => {
    const { sink, body, socket } = openStream();
    expect(sink.item(aSample(), 'p1')).toBe(true);
    sink.gap?.({ oldestAvailable: 51, newestAvailable: 99 }, 8);
    sink.item(aSample({ sequence: 51, value: null, raw: 'NaN', label: null, valid: false }), 'p2');
    sink.gap?.({ oldestAvailable: 100, newestAvailable: 99 }, null);
    sink.flush();
    body.comment('keep-alive');
    expect(textOf(socket)).toBe(
      [
        'id: 42',
        'event: sample',
        'data: {"plan_id":"p1","sequence":42,"signal":"CoolantTemp","value":"-14.5","raw":"255","label":"broken","unit":"°C","valid":true,"timestamp_us":1700000000000000,"event_id":7,"mux":null,"source_address":null}',
        '',
        'id: 50',
        'event: gap',
        'data: {"oldest_available":51,"newest_available":99,"missed":8}',
        '',
        'id: 51',
        'event: sample',
        'data: {"plan_id":"p2","sequence":51,"signal":"CoolantTemp","value":null,"raw":"NaN","label":null,"unit":"°C","valid":false,"timestamp_us":1700000000000000,"event_id":7,"mux":null,"source_address":null}',
        '',
        'id: 99',
        'event: gap',
        'data: {"oldest_available":100,"newest_available":99,"missed":null}',
        '',
        ': keep-alive',
        '',
        '',
      ].join('\n'),
    );
    expect(socket.writes).toHaveLength(2);
  });

  it('makes a batch one chunk, whose size counts bytes', () => {
    const { sink, socket } = openStream(true);
    sink.item(aSample({ label: 'Öl\nheiß' }), 'p1');
    sink.flush();
    const [, size = '', body = ''] = /^([0-9a-f]{8})\r\n([^\r]*)\r\n$/.exec(textOf(socket)) ?? [];
    expect(Number.parseInt(size, 16)).toBe(Buffer.byteLength(body));
    expect(body).toContain('"label":"Öl\\nheiß"');
  });

  it('keeps to its memory and loses nothing when a sample is larger than those before it', () => {
    const { sink, socket } = openStream();
    let samples = 1;
    while (sink.item(aSample(), 'p1')) samples++;
    const max = Number.MAX_SAFE_INTEGER;
    sink.gap?.({ oldestAvailable: max, newestAvailable: max }, max);
    sink.item(aSample({ sequence: 43, label: '€'.repeat(10_000) }), 'p1');
    sink.flush();
    expect(socket.writes).toHaveLength(2);
    const ids = [...textOf(socket).matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
    expect(ids).toEqual([...Array(samples).fill(42), max - 1, 43]);
    expect(Math.max(...socket.writes.map(({ length }) => length))).toBeLessThanOrEqual(
      scratchBytes,
    );
  });

  it('spreads a sample that no chunk can hold over several', () => {
    const { sink, socket } = openStream();
    const sample = aSample({ label: 'x'.repeat(scratchBytes) });
    sink.item(sample, 'p1');
    sink.flush();
    expect(socket.writes.length).toBeGreaterThan(1);
    const [, data = ''] = /^data: (.*)$/m.exec(textOf(socket)) ?? [];
    expect(JSON.parse(data)).toEqual({ plan_id: 'p1', ...sample });
  });
});
