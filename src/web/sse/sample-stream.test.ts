import { describe, expect, it } from 'vitest';
import { ScratchPool, scratchBytes } from '../../base/scratch-pool.ts';
import type { Sample } from '../../signal/live/sample.ts';
import { StallingSocket } from '../stream/testing/stalling-socket.ts';
import { SampleStream } from './sample-stream.ts';

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
  ...given,
});

const openStream = (chunkedEncoding = false) => {
  const socket = new StallingSocket();
  const stream = new SampleStream(new ScratchPool());
  let resumed = 0;
  const response = { chunkedEncoding, end: () => response as never };
  const open = () => stream.open({ socket, response }, () => resumed++);
  return { socket, stream, open, resumed: () => resumed };
};

const textOf = ({ writes }: StallingSocket): string => Buffer.concat(writes).toString();

describe('SampleStream', () => {
  it('writes samples, gaps and comments as server-sent events', () => {
    const { stream, socket, open } = openStream();
    open();
    expect(stream.sample(aSample(), 'p1')).toBe(true);
    stream.gap({ oldestAvailable: 51, newestAvailable: 99 }, 8);
    stream.sample(
      aSample({ sequence: 51, value: null, raw: 'NaN', label: null, valid: false }),
      'p2',
    );
    stream.gap({ oldestAvailable: 100, newestAvailable: 99 }, null);
    stream.flush();
    stream.comment('keep-alive');
    expect(textOf(socket)).toBe(
      [
        'id: 42',
        'event: sample',
        'data: {"plan_id":"p1","sequence":42,"signal":"CoolantTemp","value":"-14.5","raw":"255","label":"broken","unit":"°C","valid":true,"timestamp_us":1700000000000000,"event_id":7}',
        '',
        'id: 50',
        'event: gap',
        'data: {"oldest_available":51,"newest_available":99,"missed":8}',
        '',
        'id: 51',
        'event: sample',
        'data: {"plan_id":"p2","sequence":51,"signal":"CoolantTemp","value":null,"raw":"NaN","label":null,"unit":"°C","valid":false,"timestamp_us":1700000000000000,"event_id":7}',
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
    const { stream, socket, open } = openStream(true);
    open();
    stream.sample(aSample({ label: 'Öl\nheiß' }), 'p1');
    stream.flush();
    const [, size = '', body = ''] = /^([0-9a-f]{8})\r\n([^\r]*)\r\n$/.exec(textOf(socket)) ?? [];
    expect(Number.parseInt(size, 16)).toBe(Buffer.byteLength(body));
    expect(body).toContain('"label":"Öl\\nheiß"');
  });

  it('takes nothing before the headers are out', () => {
    const { stream, open } = openStream();
    expect(stream.isReady).toBe(false);
    open();
    expect(stream.isReady).toBe(true);
  });

  it('is not ready while the client does not take the last batch, and says when it is', () => {
    const { stream, socket, open, resumed } = openStream();
    open();
    socket.isStalled = true;
    stream.sample(aSample(), 'p1');
    stream.flush();
    expect([stream.isReady, resumed()]).toEqual([false, 0]);
    socket.release();
    expect([stream.isReady, resumed()]).toEqual([true, 1]);
  });

  it('keeps to its memory and loses nothing when a sample is larger than those before it', () => {
    const { stream, socket, open } = openStream();
    open();
    let samples = 1;
    while (stream.sample(aSample(), 'p1')) samples++;
    const largest = Number.MAX_SAFE_INTEGER;
    stream.gap({ oldestAvailable: largest, newestAvailable: largest }, largest);
    stream.sample(aSample({ sequence: 43, label: '€'.repeat(10_000) }), 'p1');
    stream.flush();
    expect(socket.writes).toHaveLength(2);
    const ids = [...textOf(socket).matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
    expect(ids).toEqual([...Array(samples).fill(42), largest - 1, 43]);
    expect(Math.max(...socket.writes.map(({ length }) => length))).toBeLessThanOrEqual(
      scratchBytes,
    );
  });

  it('refuses a sample that no batch can hold instead of dropping it', () => {
    const { stream, open } = openStream();
    open();
    expect(() => stream.sample(aSample({ label: 'x'.repeat(scratchBytes) }), 'p1')).toThrow(
      expect.objectContaining({ code: 'internal_error' }),
    );
  });
});
