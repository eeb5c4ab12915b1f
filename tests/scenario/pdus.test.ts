import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SseClient } from '../support/sse.ts';
import { eventually } from '../support/workbench.ts';
import { api, refusedOverHttp } from './support/channel-bench.ts';
import { linesOf } from './support/stream-receivers.ts';
import { accepted, TransmitBench } from './support/transmit-bench.ts';

const payload = '45F1BE00020500F0FF7E6E000001';
const broadcast = [
  '1CECFF00#200E0002FFCAFE00',
  '1CEBFF00#0145F1BE00020500',
  '1CEBFF00#02F0FF7E6E000001',
];
const vin = Buffer.from('WBABUSBAR00000001').toString('hex').toUpperCase();
/** A request, its response, and a response whose second frame is lost. */
const isotp = [
  '7E0#0322F190',
  ...['7E8#101462F190574241', '7E0#300000', '7E8#2142555342415230', '7E8#2230303030303031'],
  ...['7E8#101462F190574241', '7E0#300000', '7E8#2230303030303031'],
];
const swapped = [broadcast[0], broadcast[2], broadcast[1]];

describe('PDUs of the channels', () => {
  const bench = new TransmitBench();
  let sender = '';

  beforeAll(async () => {
    await bench.start();
    for (const port of [0, 1]) await bench.open(`SIM00001/${port}`);
    sender = 'SIM00001/0';
    await transmit(...broadcast);
    await eventually(async () => (await pdus('')).length === 2);
  });
  afterAll(() => bench.dispose());

  const transmit = async (...frames: readonly (string | undefined)[]): Promise<void> => {
    for (const frame of frames) {
      const [id = '', data = ''] = (frame ?? '').split('#');
      accepted(await bench.send({ channel: sender, id, data }), 200);
    }
  };

  const history = async (query: string) =>
    accepted(await bench.get(`${api}/pdus/history?${query}`), 200);
  const pdus = async (query: string) => (await history(query)).pdus;

  it('are in the history of each channel, before anybody asked', async () => {
    const [one, other] = await pdus('');
    expect(one).toMatchObject({
      sequence: 1,
      protocol: 'j1939',
      selector: 'SIM00001/0',
      frames: 3,
      length: 14,
      data: payload,
      data_omitted: 0,
      status: 'complete',
      findings: [],
      pgn: 0xfeca,
      source: 0,
      destination: 255,
      priority: 7,
      acknowledged: null,
      id: null,
      address: null,
    });
    expect(one.diagnostics).toEqual({
      lamps: { malfunction: 'on', red_stop: 'off', amber_warning: 'slow', protect: 'fast' },
      dtcs: [
        { spn: 190, fmi: 2, count: 5, conversion: 0 },
        { spn: 520_192, fmi: 31, count: 126, conversion: 0 },
        { spn: 110, fmi: 0, count: 1, conversion: 0 },
      ],
    });
    expect(other).toMatchObject({ sequence: 2, selector: 'SIM00001/1', data: payload });
    expect(await bench.consumerKinds('SIM00001/0')).toEqual([]);
  });

  it.each([
    ['channel=SIM00001/1', [2]],
    ['pgn=65226', [1, 2]],
    ['pgn=0xFECA&protocol=j1939', [1, 2]],
    ['pgn=0xFECB', []],
    ['protocol=isotp', []],
    ['id=7E8', []],
    ['after=1', [2]],
    ['limit=1', [1]],
  ])('are filtered by %s', async (query, sequences) => {
    const found = (await pdus(query)).filter(({ sequence }: { sequence: number }) => sequence <= 2);
    expect(found.map(({ sequence }: { sequence: number }) => sequence)).toEqual(sequences);
  });

  it.each([
    ['pgn=x', 400, 'invalid_argument', 'pgn[0]'],
    ['pgn=262144', 400, 'invalid_argument', 'pgn[0]'],
    ['protocol=lon', 400, 'invalid_argument', 'protocol[0]'],
    ['id=zz', 400, 'invalid_argument', 'id[0]'],
    ['limit=0', 400, 'invalid_argument', 'limit'],
    ['after=99999', 409, 'cursor_expired', undefined],
    ['channel=SIM00001/7', 404, 'channel_not_found', undefined],
  ])('refuse %s with %i %s', async (query, status, code, field) => {
    const refused = refusedOverHttp(await bench.get(`${api}/pdus/history?${query}`));
    expect(refused).toMatchObject({ status, code });
    expect(refused.details.field).toBe(field);
  });

  it('come over the stream, and again from an earlier sequence', async () => {
    const stream = await SseClient.open({
      port: bench.port,
      path: `${api}/pdus/stream?after=1&channel=SIM00001/1`,
    });
    expect(await stream.take(1)).toMatchObject([
      { event: 'pdu', id: '2', data: { data: payload } },
    ]);
    await transmit('18FECA21#00FF6E000001FFFF');
    expect(await stream.take(1)).toMatchObject([
      { event: 'pdu', data: { source: 0x21, frames: 1, diagnostics: { dtcs: [{ spn: 110 }] } } },
    ]);
  });

  it('are printed by pdu watch and pdu history', async () => {
    const watched = await bench.ask(['pdu', 'watch', '--after=1', '--count=1', '--format=jsonl']);
    expect(watched.code).toBe(0);
    expect(linesOf(watched.stdout).map((line) => JSON.parse(line))).toMatchObject([
      { sequence: 2 },
    ]);
    const text = await bench.ask(['pdu', 'watch', '--after=1', '--count=1']);
    expect(text.stdout).toMatch(
      /^\(\d+\.\d{6}\) {2}SIM00001\/1 {2}j1939 {2}FECA {2}00 > FF {2}\[14\] {2}45F1/,
    );
    const past = await bench.ask(['pdu', 'history', '--pgn=0xFECA', '--limit=1', '--format=json']);
    expect(JSON.parse(past.stdout)).toMatchObject({ pdus: [{ sequence: 1, data: payload }] });
  });

  it('are of ISO-TP, too, in words and with findings', async () => {
    const { newest_available } = await history('');
    const watched = bench.run([
      ...['pdu', 'watch', '--channel=SIM00001/1', '--protocol=isotp', '--id=7E0', '--id=7E8'],
      ...[`--after=${newest_available}`, '--count=3'],
    ]);
    await transmit(...isotp);
    const { code, stdout } = await watched;
    expect(code).toBe(0);
    const line = (from: string, length: number, text: string): RegExp =>
      new RegExp(`^\\(\\d+\\.\\d{6}\\)  SIM00001/1  isotp  ${from}  \\[${length}\\]  ${text}$`);
    const lines = linesOf(stdout);
    expect(lines[0]).toMatch(line('7E0', 3, '22F190  ReadDataByIdentifier F190'));
    expect(lines[1]).toMatch(
      line('7E8', 20, `62F190${vin}  Positive response to ReadDataByIdentifier F190`),
    );
    expect(lines[2]).toMatch(line('7E8', 20, 'lost  \\(sequence_gap\\)'));
    const answered = await pdus(`after=${newest_available}&channel=SIM00001/1&id=7E8`);
    expect(answered).toMatchObject([
      { protocol: 'isotp', id: 0x7e8, extended: false, address: null, frames: 4, pgn: null },
      { status: 'lost', data: '', words: null, findings: [{ code: 'sequence_gap' }] },
    ]);
    const past = await bench.ask(['pdu', 'history', '--protocol=isotp', '--format=json']);
    expect(JSON.parse(past.stdout).pdus.length).toBeGreaterThanOrEqual(6);
  });

  it('are never complete for swapped packets', async () => {
    const { newest_available } = await history('');
    await transmit(...swapped);
    let found: { status: string; data: string; data_omitted: number }[] = [];
    await eventually(async () => {
      found = await pdus(`after=${newest_available}`);
      return found.length === 2;
    });
    expect(found).toMatchObject([
      { status: 'lost', data: '', findings: [{ code: 'sequence_gap' }] },
      { status: 'lost', data: '' },
    ]);
  });

  it('are reported without further frames when their time is over or the channel closes', async () => {
    const { newest_available } = await history('');
    await transmit(broadcast[0]);
    await eventually(async () => (await pdus(`after=${newest_available}`)).length === 2);
    expect(await pdus(`after=${newest_available}`)).toMatchObject([
      { status: 'timeout', frames: 1 },
      { status: 'timeout', frames: 1 },
    ]);
    await transmit(broadcast[0]);
    accepted(await bench.remove('SIM00001/1'), 200);
    const [closed] = await pdus(`after=${newest_available + 2}`);
    expect(closed).toMatchObject({ status: 'open', selector: 'SIM00001/1' });
  });

  it('of a trace file are printed without a daemon', async () => {
    const file = bench.path('dm1.log');
    const lines = broadcast.map((frame, at) => `(1700000000.${at}00000) can0 ${frame}\n`);
    writeFileSync(file, lines.join(''));
    const { code, stdout } = await bench.ask(['trace', 'pdus', file, '--format=jsonl']);
    expect(code).toBe(0);
    expect(linesOf(stdout).map((line) => JSON.parse(line))).toMatchObject([
      { sequence: 1, selector: 'can0', first_event_id: 1, last_event_id: 3, data: payload },
    ]);
    const csv = await bench.ask(['trace', 'pdus', file, '--format=csv', '--pgn=0xFECA']);
    expect(linesOf(csv.stdout)).toHaveLength(2);
    const none = await bench.ask(['trace', 'pdus', file, '--pgn=1']);
    expect(none.stdout).toBe('');
    const bad = await bench.failure('trace', 'pdus', file, '--pgn=x');
    expect(bad).toMatchObject({ code: 'invalid_argument' });
  });

  it('of ISO-TP in a trace file are printed without a daemon', async () => {
    const file = bench.path('uds.log');
    const lines = isotp.map((frame, at) => `(1700000000.${at}00000) can0 ${frame}\n`);
    writeFileSync(file, lines.join(''));
    const { code, stdout } = await bench.ask(['trace', 'pdus', file, '--protocol=isotp']);
    expect(code).toBe(0);
    expect(linesOf(stdout)).toEqual([
      '(1700000000.000000)  can0  isotp  7E0  [3]  22F190  ReadDataByIdentifier F190',
      `(1700000000.400000)  can0  isotp  7E8  [20]  62F190${vin}  Positive response to ReadDataByIdentifier F190`,
      '(1700000000.700000)  can0  isotp  7E8  [20]  lost  (sequence_gap)',
    ]);
    const records = await bench.ask(['trace', 'pdus', file, '--id=7E8', '--format=jsonl']);
    expect(linesOf(records.stdout).map((line) => JSON.parse(line))).toMatchObject([
      { sequence: 2, status: 'complete', findings: [] },
      { sequence: 3, status: 'lost', findings: [{ code: 'sequence_gap', event_id: 8 }] },
    ]);
    const wide = await bench.ask(['trace', 'pdus', file, '--id=000007E8']);
    expect(wide.stdout).toBe('');
  });
});

describe('PDUs of ECUs', () => {
  const bench = new TransmitBench();
  const [tester, ecu] = ['SIM00001/0', 'SIM00001/1'];

  beforeAll(async () => {
    const dids = { F190: { name: 'vin', length: 17, codec: 'ascii' } };
    const body = { channel: ecu, request_id: '612', response_id: '61A', dids };
    bench.write('busbar.bench.json', JSON.stringify({ ecus: { body } }));
    await bench.start();
    for (const port of [tester, ecu]) await bench.open(port);
  });
  afterAll(() => bench.dispose());

  const words = async (selector: string): Promise<string[]> => {
    const path = `${api}/pdus/history?channel=${encodeURIComponent(selector)}`;
    const { pdus } = accepted(await bench.get(path), 200);
    return pdus.map((pdu: { words: string }) => pdu.words);
  };

  it('have the names of the bench file, also before their first request', async () => {
    await eventually(async () => {
      accepted(await bench.send({ channel: tester, id: '612', data: '0322F190' }), 200);
      return (await words(ecu)).includes('ReadDataByIdentifier F190 (vin)');
    });
    expect(await words(tester)).toEqual([]);
  });

  it('have the names of a link until it is closed', async () => {
    const dids = { F18C: { name: 'serial' } };
    const link = { name: 'door', channel: tester, request_id: '700', response_id: '708', dids };
    await bench.create('diagnostics', link);
    const ask = async () =>
      accepted(await bench.send({ channel: tester, id: '700', data: '0322F18C' }), 200);
    await eventually(async () => {
      await ask();
      return (await words(tester)).includes('ReadDataByIdentifier F18C (serial)');
    });
    await bench.end('diagnostics/door');
    await eventually(async () => {
      const before = await words(tester);
      await ask();
      return (await words(tester)).length === before.length;
    });
  });
});
