import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ask } from '../support/http.ts';
import { SseClient } from '../support/sse.ts';
import { api, channelPath } from './support/channel-bench.ts';
import { shareSignalBench } from './support/signal-bench.ts';
import { linesOf } from './support/stream-receivers.ts';

const truck = `BU_: ECU
BO_ 2566837246 Tires: 24 ECU
 SG_ Pressure : 0|16@1+ (0.1,-7.25) [0|0] "kPa" ECU
 SG_ Serial : 16|64@1+ (1,0) [0|0] "" ECU
 SG_ Load : 80|32@1- (1E-3,0) [0|0] "t" ECU
 SG_ State : 112|4@1+ (1,0) [0|15] "" ECU
 SG_ Page M : 120|8@1+ (1,0) [0|255] "" ECU
 SG_ Front m1 : 159|16@0- (0.5,0) [0|0] "bar" ECU
 SG_ Rear m2 : 128|64@1- (0.0000001,3) [0|0] "bar" ECU
BO_ 2297374494 Order: 12 ECU
 SG_ Code : 64|32@1+ (1,0) [0|0] "" ECU
BO_ 2566844926 Short: 8 ECU
 SG_ Speed : 8|16@1+ (0.00390625,0) [0|250.996] "km/h" ECU
BA_DEF_ "ProtocolType" STRING ;
BA_DEF_DEF_ "ProtocolType" "J1939";
VAL_ 2566837246 State 3 "Flat" ;
SIG_VALTYPE_ 2566837246 Load : 1;
`;

const payloads = [
  '0000' + '0000000000000000' + '0000803F' + '03' + '01' + '8001000000000000',
  'FFFF' + 'FFFFFFFFFFFFFFFF' + '0000C07F' + '0F' + '02' + 'FFFFFFFFFFFFFF7F',
  '0100' + '0100000000002000' + 'CDCCCC3D' + '01' + '02' + '0100000000000080',
];

interface Value {
  readonly signal: string;
  readonly value: string | null;
  readonly time: number;
}

const bench = shareSignalBench(async (own) => {
  await own.openSegment();
  await own.use('truck', truck);
  const path = channelPath('engine', '/databases/truck');
  expect((await ask({ port: own.port, method: 'PUT', path })).status).toBe(200);
});

const sent = async (request: object): Promise<void> => {
  const answer = await bench.post(`${api}/j1939/send`, { channel: 'peer', ...request });
  expect(answer.status, answer.text).toBe(200);
};

const raw = async (id: string, data: string): Promise<void> => {
  expect((await bench.send({ channel: 'peer', id, data })).status).toBe(200);
};

const newest = async (): Promise<number> =>
  (await bench.get(`${api}/messages/history?limit=1`)).json().newest_available ?? 0;

describe('signals of J1939 messages longer than a frame', () => {
  it('are the same in plans, in events and in the table of a trace', async () => {
    const after = await newest();
    const one = await bench.plan({ database: 'truck', message: 'Tires' });
    const all = await bench.plan({});
    const other = await bench.plan({ database: 'truck', message: 'Tires', source_address: 0x22 });
    await bench.json('logging', 'start', 'truck.asc', '--channel=engine');
    for (const data of payloads) await sent({ pgn: 0xfed3, source: 0x21, data });
    // A broadcast with a hole has no signals, even if complete frames follow.
    await raw('1CECFF21', '20180004FFD3FE00');
    for (const sequence of ['01', '03', '04']) await raw('1CEBFF21', `${sequence}00000000000000`);
    await sent({ pgn: 0xfef1, source: 0x21, data: 'FF0040FFFFFFFFFF' });
    await bench.decoded(all.plan_id, payloads.length + 1);
    await bench.json('logging', 'stop');
    const plan = await bench.plan({ database: 'truck', message: 'Tires' });
    expect(plan.frames).toBe(0);

    const live: Value[] = [];
    for (const signal of one.signals) {
      for (const { value, timestamp_us } of (await bench.page(one.plan_id, signal)).samples) {
        live.push({ signal, value, time: timestamp_us });
      }
    }
    const named = await bench.latest(all.plan_id, 'Tires.Pressure');
    expect(named).toMatchObject({ value: '-7.15', source_address: 0x21 });
    expect((await bench.plans()).find(({ plan_id }) => plan_id === other.plan_id)?.frames).toBe(0);
    const inOrder = (values: readonly Value[]) =>
      [...values].sort((a, b) => a.time - b.time || a.signal.localeCompare(b.signal));
    expect(live.filter(({ signal }) => signal === 'Serial').map(({ value }) => value)).toEqual([
      '0',
      '18446744073709551615',
      '9007199254740993',
    ]);

    const args = ['truck.asc', '--database=truck.dbc'];
    for (const jobs of [1, 2]) {
      const decoded = await bench.json<{ pdus: number }>(
        ...['trace', 'decode', ...args, '--signals=Tires.*', '--output=truck.csv', '--overwrite'],
        `--jobs=${jobs}`,
      );
      expect(decoded.pdus).toBe(payloads.length);
      const rows = readFileSync(join(bench.project, 'truck.csv'), 'utf8').split('\n').slice(1, -1);
      const offline = rows.map((row): Value => {
        const [time = '', , , signal = '', value = ''] = row.split(',');
        const micros = Number(time.slice(20, 26));
        return {
          signal,
          value: value === '' ? null : value,
          time: Date.parse(`${time.slice(0, 19)}Z`) * 1000 + micros,
        };
      });
      expect(inOrder(offline)).toEqual(inOrder(live));
    }
    const { messages } = await bench.json<{ messages: { message: string; count: number }[] }>(
      ...['trace', 'signals', ...args],
    );
    expect(messages.map(({ message, count }) => [message, count])).toEqual([
      ['Short', 1],
      ['Tires', payloads.length],
    ]);

    const query = `channel=engine&decode=true&after=${after}`;
    const { events } = (await bench.get(`${api}/messages/history?${query}`)).json();
    const tires = events.filter(({ message }: { message: string }) => message === 'Tires');
    const shown = tires.flatMap(
      (event: { timestamp_us: number; id: number; signals: { signal: string; value: string }[] }) =>
        event.signals.map(({ signal, value }) => ({ signal, value, time: event.timestamp_us })),
    );
    expect(inOrder(shown)).toEqual(inOrder(live));
    expect(new Set(tires.map(({ id }: { id: number }) => id))).toEqual(new Set([0x1cebff21]));

    const stream = await SseClient.open({
      port: bench.port,
      path: `${api}/messages/stream?${query}`,
    });
    const streamed = (await stream.take(events.length)).map(({ data }) => data);
    stream.close();
    expect(streamed).toEqual(events);
    const recv = await bench.ask([
      ...['message', 'recv', '--channel=engine', `--after=${after}`, '--decode'],
      ...[`--count=${events.length}`, '--format=jsonl'],
    ]);
    const received = linesOf(recv.stdout).map((line) => JSON.parse(line).signals);
    expect(received).toEqual(events.map(({ signals }: { signals: unknown }) => signals));
    const watch = await bench.ask([
      ...['signal', 'watch', '--channel=engine', 'Tires.Serial', `--after=${after}`],
      '--count=3',
    ]);
    expect(linesOf(watch.stdout).map((line) => line.split('  ').slice(1, 4))).toEqual([
      ['Tires', 'Serial', '0'],
      ['Tires', 'Serial', '18446744073709551615'],
      ['Tires', 'Serial', '9007199254740993'],
    ]);
  });

  it('come from transfers to one address when the last packet was seen', async () => {
    const plan = await bench.plan({ database: 'truck', message: 'Order' });
    await raw('18EC271E', '100C0002FF00EF00');
    await raw('18EB271E', '020001020304FFFF');
    await raw('18EB271E', '0100000000000000');
    await bench.decoded(plan.plan_id, 1);
    expect(await bench.latest(plan.plan_id, 'Code')).toMatchObject({
      raw: String(0x04030201),
      source_address: 0x1e,
    });
  });
});
