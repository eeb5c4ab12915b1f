import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventStatus } from '../drivers/event-status.ts';
import { withErrorCount } from '../frame/error-count.ts';
import { eventObject } from '../frame/event-json.ts';
import type { Frm2Event } from '../frame/frm2-event.ts';
import { frameFlag } from '../frame/frm2-layout.ts';
import { operations } from '../operations/registry.ts';
import { CliBench } from './testing/cli-bench.ts';
import type { FakeCall } from './testing/fake-daemon.ts';
import { sampleRecord } from './testing/sample-events.ts';

const eventOf = (change: Partial<Frm2Event>) =>
  eventObject(new DataView(sampleRecord(change).buffer), 0, `SIM00001/${change.channel ?? 0}`);

const pageOf = (events: object[], next_after: number, has_more = false) => ({
  events,
  next_after,
  oldest_available: 1,
  newest_available: 9,
  has_more,
  stream_epoch: 0,
  older: [] as object[],
});

const channels = [{ slot: 0, selector: 'SIM00001/0', name: 'tester' }];

describe('message history', () => {
  let bench: CliBench;

  beforeEach(() => {
    bench = new CliBench(operations);
  });
  afterEach(() => bench.close());

  const serve = (...pages: object[]) =>
    bench.serve((call: FakeCall) =>
      call.reply({
        result: call.request.operation === 'channel.list' ? { channels } : pages.shift(),
      }),
    );

  it('prints events as message recv does, and where to go on', async () => {
    await serve(
      pageOf(
        [
          eventOf({ id: 0x123 }),
          eventOf({ channel: 1, id: 0x123, flags: frameFlag.extended, kind: 'tx_complete' }),
        ],
        7,
        true,
      ),
    );
    expect(await bench.run('message', 'history')).toBe(0);
    expect(bench.stdout.text.split('\n')).toEqual([
      '(1699999999.123456)  tester      RX       123   [4]  DE AD BE EF',
      '(1699999999.123456)  SIM00001/1  TX  00000123   [4]  DE AD BE EF',
      'continue with --after=7; oldest available 1, newest 9',
      '',
    ]);
  });

  it('prints notation, and where to go on as a comment', async () => {
    await serve(pageOf([eventOf({ bus: 'canfd', flags: frameFlag.fd | frameFlag.esi })], 7));
    expect(await bench.run('message', 'history', '--notation')).toBe(0);
    expect(bench.stdout.text.split('\n')).toEqual([
      '(1699999999.123456) tester 123##2DEADBEEF R',
      '# next page: --after=7; oldest available 1, newest 9',
      '',
    ]);
  });

  it('names the channels that keep older events, as they are asked for', async () => {
    const older = [
      { channel: 0, selector: 'SIM00001/0', oldest_available: 1 },
      { channel: 2, selector: 'SIM00001/2', oldest_available: 3 },
    ];
    await serve({ ...pageOf([], 9), oldest_available: 8, older });
    expect(await bench.run('message', 'history')).toBe(0);
    expect(bench.stdout.text.split('\n')).toEqual([
      'next page: --after=9; oldest available 8, newest 9',
      'older events are available for --channel=SIM00001/0 (from 1), --channel=SIM00001/2 (from 3)',
      '',
    ]);
  });

  it('tells how many error frames a line stands for, as message recv does', async () => {
    const details = Uint8Array.of(0, 0, 0, 0x19, 0, 0, 0x80, 0);
    const error = { id: 0xa0, dlc: 8, flags: frameFlag.error, status: eventStatus.no_acknowledge };
    const [one, many] = [1, 704].map((count) => ({
      ...error,
      data: withErrorCount(details, count),
    }));
    await serve(pageOf([eventOf({ ...one }), eventOf({ ...many })], 2));
    expect(await bench.run('message', 'history')).toBe(0);
    expect(bench.stdout.text.match(/ERRORFRAME.*/g)).toEqual([
      'ERRORFRAME  NO-ACKNOWLEDGE',
      'ERRORFRAME ×704  NO-ACKNOWLEDGE',
    ]);
  });

  it('asks on behind what was looked at until it has found as many as are wanted', async () => {
    const daemon = await serve(
      pageOf([eventOf({ eventId: 2 })], 4, true),
      pageOf([], 6, true),
      pageOf([eventOf({ eventId: 8 })], 8, true),
    );
    expect(await bench.run('message', 'history', '--id=123', '--limit=2', '--format=json')).toBe(0);
    expect(daemon.requests.map((request) => request.arguments)).toEqual([
      { id: ['123'], limit: 2 },
      { id: ['123'], limit: 1, after: 4 },
      { id: ['123'], limit: 1, after: 6 },
    ]);
    const result = JSON.parse(bench.stdout.text);
    expect(result.events.map((event: { event_id: number }) => event.event_id)).toEqual([2, 8]);
    expect(result).toMatchObject({ next_after: 8, has_more: true });
  });

  it('reads one page where everything is wanted', async () => {
    const daemon = await serve(pageOf([], 4, true));
    expect(await bench.run('message', 'history', '--format=jsonl')).toBe(0);
    expect(daemon.requests).toHaveLength(1);
  });
});
