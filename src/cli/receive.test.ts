import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { eventually } from '../base/testing/eventually.ts';
import { eventStatus } from '../drivers/event-status.ts';
import { frameFlag } from '../frame/frm2-layout.ts';
import { operations } from '../operations/registry.ts';
import { FrameLines } from './send-list.ts';
import { CliBench } from './testing/cli-bench.ts';
import type { FakeCall } from './testing/fake-daemon.ts';
import { sampleChannel, sampleRecord } from './testing/sample-events.ts';

const line = '(1699999999.123456)  SIM00001/0  RX       123   [4]  DE AD BE EF\n';
const gap = { event: 'gap', oldest_available: 5001, newest_available: 13_193, missed: 1200 };

describe('message recv', () => {
  let bench: CliBench;
  let calls: FakeCall[];

  beforeEach(() => {
    bench = new CliBench(operations);
    calls = [];
  });
  afterEach(() => bench.close());

  /**
   * Runs the command against a daemon that begins the stream with `play`; the test continues with
   * the call.
   */
  const begin = async (argv: readonly string[], play: (call: FakeCall) => void) => {
    const daemon = await bench.serve((call) => {
      calls.push(call);
      play(call.reply({ message: { channels: [sampleChannel], stream_epoch: 0 } }));
    });
    return { daemon, ended: bench.run('message', 'recv', ...argv) };
  };

  it('asks for what the line says', async () => {
    const { daemon, ended } = await begin(
      ['--channel=a/0', '--channel=b/1', '--after=7', '--count=3', '--duration-ms=100'],
      (call) => call.reply({ result: { reason: 'count', delivered: 3 } }),
    );
    expect(await ended).toBe(0);
    expect(daemon.requests).toMatchObject([
      {
        operation: 'message.recv',
        arguments: { channel: ['a/0', 'b/1'], after: 7, count: 3, duration_ms: 100 },
        project: null,
      },
    ]);
  });

  it('asks for identifiers and a direction, and keeps the style of time to itself', async () => {
    const { daemon, ended } = await begin(
      ['--id=100-1FF', '--id=123:7FF', '--direction=rx', '--time=delta'],
      (call) =>
        call
          .batch([sampleRecord(), sampleRecord({ timestampUs: 1_699_999_999_124_956 })])
          .reply({ result: { reason: 'count', delivered: 2 } }),
    );
    expect(await ended).toBe(0);
    expect(daemon.requests[0]?.arguments).toEqual({ id: ['100-1FF', '123:7FF'], direction: 'rx' });
    expect(bench.stdout.text.match(/^\(\S+\)/gm)).toEqual(['(000.000000)', '(000.001500)']);
  });

  it('prints frames in notation that message send reads, and the rest as comments', async () => {
    const events = [
      sampleRecord(),
      sampleRecord({ bus: 'canfd', kind: 'tx_complete', flags: frameFlag.fd | frameFlag.brs }),
      sampleRecord({ bus: 'lin', id: 0x1a, flags: frameFlag.enhancedChecksum }),
      sampleRecord({ id: 4, flags: frameFlag.error, status: eventStatus.bus_error }),
      sampleRecord({ bus: 'lin', id: 0, flags: frameFlag.wakeUp, dlc: 0, data: new Uint8Array(0) }),
    ];
    const { daemon, ended } = await begin(['--notation', '--time=delta'], (call) =>
      call.batch(events).reply({ result: { reason: 'count', delivered: events.length } }),
    );
    expect(await ended).toBe(0);
    expect(daemon.requests[0]?.arguments).toEqual({});
    const lines = bench.stdout.text.trimEnd().split('\n');
    expect(lines.slice(0, 3)).toEqual([
      '(000.000000) SIM00001/0 123#DEADBEEF R',
      '(000.000000) SIM00001/0 123##1DEADBEEF T',
      '(000.000000) SIM00001/0 1A#DEADBEEF R',
    ]);
    expect(lines[3]).toMatch(/^# .*ERRORFRAME/);
    expect(lines[4]).toMatch(/^# .*WAKE-UP$/);
    const list = new FrameLines('output');
    expect(lines.map((text) => list.read(text)?.frame)).toEqual([
      '123#DEADBEEF',
      '123##1DEADBEEF',
      '1A#DEADBEEF',
      undefined,
      undefined,
    ]);
  });

  it.each([
    ['--format=jsonl', 'text_only'],
    ['--decode', 'exclusive'],
  ])('refuses notation with %s', async (option, reason) => {
    const { ended } = await begin(['--notation', option], () => undefined);
    expect(await ended).toBe(2);
    expect(bench.stderr.text).toContain('--notation');
    if (option === '--decode') return;
    expect(JSON.parse(bench.stderr.text).error.details).toEqual({ field: 'notation', reason });
  });

  it('refuses a style of time where no person reads it', async () => {
    const { ended } = await begin(['--time=delta', '--format=jsonl'], () => undefined);
    expect(await ended).toBe(2);
    expect(JSON.parse(bench.stderr.text).error.details).toMatchObject({ field: 'time' });
  });

  it('prints each batch with one write and ends with 0', async () => {
    const { ended } = await begin([], (call) =>
      call
        .batch([sampleRecord(), sampleRecord({ data: new Uint8Array(64) }), sampleRecord()])
        .batch([sampleRecord()])
        .reply({ result: { reason: 'duration', delivered: 4 } }),
    );
    expect(await ended).toBe(0);
    expect(bench.stdout.writes).toHaveLength(2);
    expect(bench.stdout.writes[1]).toBe(line);
    expect(bench.stderr.text).toBe('');
  });

  it('takes channels that are added later', async () => {
    const { ended } = await begin([], (call) =>
      call
        .reply({ message: { channels: [{ slot: 1, selector: 'x/1', name: 'door' }] } })
        .batch([sampleRecord({ channel: 1 })])
        .reply({ result: { reason: 'count', delivered: 1 } }),
    );
    await ended;
    expect(bench.stdout.text).toContain('  door        RX       123 ');
  });

  it.each(['json', 'jsonl'])('prints an object a line as %s, gaps among them', async (format) => {
    const { ended } = await begin([`--format=${format}`], (call) =>
      call
        .batch([sampleRecord()])
        .reply({ message: gap })
        .batch([sampleRecord({ eventId: 5001 })])
        .reply({ result: { reason: 'shut_down', delivered: 2 } }),
    );
    expect(await ended).toBe(0);
    const objects = bench.stdout.text
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text));
    expect(objects).toMatchObject([
      { event_id: 1, selector: 'SIM00001/0', data: 'DEADBEEF' },
      gap,
      { event_id: 5001 },
    ]);
    expect(bench.stderr.text).toBe('');
  });

  it('prints one head and the rows as csv', async () => {
    const { ended } = await begin(['--format=csv'], (call) =>
      call
        .reply({ message: { channels: [sampleChannel], stream_epoch: 0 } })
        .batch([sampleRecord()])
        .reply({ result: { reason: 'count', delivered: 1 } }),
    );
    await ended;
    expect(bench.stdout.text).toMatch(/^event_id,[a-z0-9_,]+\n1,1,0,rx_frame,[^\n]+\n$/);
  });

  it.each([
    ['--count=2', 'channel_closed', 1],
    ['--duration-ms=100', 'shut_down', 1],
    ['--count=2', 'duration', 0],
    ['--duration-ms=100', 'count', 0],
  ])('answers %s that ends with %s by exit code %i', async (limit, reason, code) => {
    const { ended } = await begin([limit, '--format=json'], (call) =>
      call.batch([sampleRecord()]).reply({ result: { reason, delivered: 1 } }),
    );
    expect(await ended).toBe(code);
  });

  it.each(['text', 'csv'])('tells of gaps and unexpected ends on stderr as %s', async (format) => {
    const { ended } = await begin([`--format=${format}`], (call) =>
      call.reply({ message: gap }).reply({ result: { reason: 'channel_closed', delivered: 0 } }),
    );
    expect(await ended).toBe(0);
    expect(bench.stderr.text).toBe(
      'gap: 1200 events lost; oldest available 5001, newest 13193\nend: the channel was closed\n',
    );
  });

  it('says that a cursor lies in the future, where it does', async () => {
    const ahead = { ...gap, oldest_available: 1, newest_available: 9, missed: null };
    const { ended } = await begin(['--after=900'], (call) =>
      call.reply({ message: ahead }).reply({ result: { reason: 'shut_down', delivered: 0 } }),
    );
    await ended;
    expect(bench.stderr.text).toContain(
      'gap: --after=900 is ahead of the newest event; oldest available 1, newest 9\n',
    );
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('ends with 0 on %s, all written', async (signal) => {
    const { ended } = await begin([], (call) => call.batch([sampleRecord()]));
    await eventually(() => bench.stdout.text === line);
    process.emit(signal);
    expect(await ended).toBe(0);
    expect(bench.stderr.text).toBe('');
    await eventually(() => calls[0]?.isOver === true);
    expect(process.listenerCount(signal)).toBe(0);
  });

  it('ends quietly once its output is not read any more', async () => {
    const { ended } = await begin([], (call) => {
      bench.stdout.isAbandoned = true;
      call.batch([sampleRecord()]).batch([sampleRecord()]);
    });
    expect(await ended).toBe(0);
    expect(bench.stderr.text).toBe('');
    await eventually(() => calls[0]?.isOver === true);
  });

  it('fails with 3 when the link breaks', async () => {
    const { ended } = await begin([], (call) => call.batch([sampleRecord()]));
    await eventually(() => bench.stdout.text === line);
    calls[0]?.hangUp();
    expect(await ended).toBe(3);
    expect(bench.stderr.text).toMatch(/^busbar: daemon_unreachable: /);
  });

  it('fails with what the daemon refuses it for, having printed nothing', async () => {
    const error = new BusbarError('channel_not_open').toRecord();
    await bench.serve((call) => void call.reply({ error }));
    expect(await bench.run('message', 'recv', '--format=csv')).toBe(1);
    expect(bench.stdout.text).toBe('');
    expect(bench.stderr.text).toMatch(/^busbar: channel_not_open: /);
  });

  it('fails with 3 where no daemon runs', async () => {
    expect(await bench.run('message', 'recv')).toBe(3);
    expect(bench.stderr.text).toContain('No daemon is running');
  });
});
