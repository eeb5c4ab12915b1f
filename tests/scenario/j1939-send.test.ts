import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../support/http.ts';
import { eventually } from '../support/workbench.ts';
import { api, type EventView, refusedOverHttp } from './support/channel-bench.ts';
import { accepted, TransmitBench } from './support/transmit-bench.ts';

const thirty = Buffer.from(Array.from({ length: 30 }, (_, i) => i + 1))
  .toString('hex')
  .toUpperCase();
const truckFile = `VERSION ""
BU_: ECU
BO_ 2566837246 Tires: 20 ECU
 SG_ Pressure : 0|16@1+ (0.5,0) [0|1000] "kPa" ECU
 SG_ Last : 144|16@1+ (1,0) [0|64255] "" ECU
BA_DEF_ "ProtocolType" STRING ;
BA_DEF_DEF_ "ProtocolType" "J1939";
`;
const one = 'SIM00001/0';
const other = 'SIM00001/1';

describe('j1939 send', () => {
  const bench = new TransmitBench();

  beforeAll(async () => {
    await bench.start();
    for (const port of [0, 1]) await bench.open(`SIM00001/${port}`);
  });
  afterAll(() => bench.dispose());

  const send = (more: object) =>
    bench.post(`${api}/j1939/send`, {
      channel: one,
      pgn: 0xef00,
      source: 0,
      data: thirty,
      ...more,
    });

  const shown = ({ id, data }: EventView) =>
    `${id.toString(16).toUpperCase().padStart(8, '0')}#${data}`;

  const answer = async (id: string, data: string): Promise<void> => {
    accepted(await bench.send({ channel: other, id, data }), 200);
  };

  it('sends up to 8 bytes as one frame', async () => {
    const before = await bench.newest();
    expect(
      accepted(await send({ pgn: '0xFECA', data: '00FF6E000001FFFF', priority: 3 }), 200),
    ).toMatchObject({ method: 'frame', frames: 1, length: 8, pgn: 0xfeca, destination: 255 });
    const frames = await bench.received(other, 1, before);
    expect(frames.map(shown)).toEqual(['0CFECA00#00FF6E000001FFFF']);
  });

  it('sends longer payloads to all as a broadcast with pauses', async () => {
    const before = await bench.newest();
    expect(accepted(await send({}), 200)).toMatchObject({ method: 'broadcast', frames: 6 });
    const frames = await bench.received(other, 6, before);
    expect(frames.map(shown)).toEqual([
      '1CECFF00#201E0005FF00EF00',
      '1CEBFF00#0101020304050607',
      '1CEBFF00#0208090A0B0C0D0E',
      '1CEBFF00#030F101112131415',
      '1CEBFF00#04161718191A1B1C',
      '1CEBFF00#051D1EFFFFFFFFFF',
    ]);
    const times = frames.map(({ timestamp_us }) => Number(timestamp_us));
    const pauses = times.slice(1).map((time, index) => time - (times[index] as number));
    expect(Math.min(...pauses)).toBeGreaterThan(49_000);
    const { pdus } = await bench.status('pdus/history?pgn=0xEF00');
    expect(pdus.at(-1)).toMatchObject({ status: 'complete', data: thirty, selector: other });
  });

  it('sends to one address as its receiver asks', async () => {
    const before = await bench.newest();
    const sending = send({ destination: 0x80 });
    const [request] = await bench.received(other, 1, before);
    expect(request && shown(request)).toBe('1CEC8000#101E0005FF00EF00');
    await answer('18EC0080', '110301FFFF00EF00');
    expect((await bench.received(other, 4, before)).at(-1)?.data).toBe('030F101112131415');
    await answer('18EC0080', '110203FFFF00EF00');
    expect((await bench.received(other, 6, before)).at(-1)?.data).toBe('04161718191A1B1C');
    await answer('18EC0080', '110105FFFF00EF00');
    await bench.received(other, 7, before);
    await answer('18EC0080', '131E0005FF00EF00');
    expect(accepted(await sending, 200)).toMatchObject({ method: 'transfer', frames: 7 });
    let pdus: { acknowledged: boolean; data: string }[] = [];
    await eventually(async () => {
      ({ pdus } = await bench.status(`pdus/history?pgn=0xEF00&channel=${other}`));
      return pdus.at(-1)?.acknowledged === true;
    });
    expect(pdus.at(-1)?.data).toBe(thirty);
  });

  it('reports an abort with its reason, and one transfer of two nodes at a time', async () => {
    const before = await bench.newest();
    const sending = send({ destination: 0x80 });
    await bench.received(other, 1, before);
    expect(refusedOverHttp(await send({ destination: 0x80 }))).toMatchObject({
      status: 409,
      code: 'busy',
      details: { field: 'source' },
    });
    await answer('18EC0080', 'FF02FFFFFF00EF00');
    expect(refusedOverHttp(await sending)).toMatchObject({
      status: 502,
      code: 'j1939_aborted',
      details: { reason: 'abort_resources', abort_reason: 2 },
    });
  });

  it('aborts when no answer comes', async () => {
    const before = await bench.newest();
    expect(refusedOverHttp(await send({ destination: 0x81 }))).toMatchObject({
      status: 504,
      code: 'j1939_timeout',
    });
    const frames = await bench.received(other, 2, before);
    expect(frames.map(shown)).toEqual(['1CEC8100#101E0005FF00EF00', '1CEC8100#FF03FFFFFF00EF00']);
  });

  it.each([
    [{ pgn: 0x40000 }, 'pgn'],
    [{ pgn: 0xef80 }, 'pgn'],
    [{ pgn: 'EF00' }, 'pgn'],
    [{ source: 255 }, 'source'],
    [{ source: '0xFF' }, 'source'],
    [{ destination: 256 }, 'destination'],
    [{ destination: 254 }, 'destination'],
    [{ destination: 1, pgn: 0xfeca, data: '00' }, 'destination'],
    [{ priority: 8 }, 'priority'],
    [{ pgn: undefined }, 'pgn'],
    [{ data: undefined }, 'data'],
    [{ signals: { Pressure: '1' } }, 'signals'],
    [{ data: 'xx' }, 'data'],
    [{ data: '00'.repeat(1786) }, 'data'],
  ])('refuses %j and names the field', async (request, field) => {
    expect(refusedOverHttp(await send(request))).toMatchObject({
      status: 400,
      code: 'invalid_argument',
      details: { field },
    });
  });

  it('sends messages by name, also those longer than a frame', async () => {
    bench.write('truck.dbc', truckFile);
    accepted(await bench.post(`${api}/databases`, { file: 'truck.dbc' }), 201);
    const path = `${api}/channels/${encodeURIComponent(one)}/databases/truck`;
    accepted(await ask({ port: bench.port, method: 'PUT', path }), 200);
    const request = { channel: one, message: 'Tires', source: 0x21 };
    const body = { ...request, signals: { Pressure: '800' } };
    const data = `4006${'FF'.repeat(18)}`;
    expect(accepted(await bench.post(`${api}/j1939/send`, body), 200)).toMatchObject({
      ...{ method: 'broadcast', pgn: 0xfed3, source: 0x21, length: 20, message: 'Tires', data },
      signals: [{ signal: 'Pressure', value: '800', raw: '1600' }, { signal: 'Last' }],
    });
    const { pdus } = await bench.status('pdus/history?pgn=0xFED3');
    expect(pdus.at(-1)).toMatchObject({ status: 'complete', data, source: 0x21 });
    const words = ['Pressure=800', 'Last=1', '--message=Tires', '--source=0x21', '--format=json'];
    const { code, stdout } = await bench.ask(['j1939', 'send', one, ...words]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ data: `4006${'FF'.repeat(16)}0100` });
    const wrong = await bench.post(`${api}/j1939/send`, { ...body, signals: { Pressure: '2000' } });
    expect(refusedOverHttp(wrong)).toMatchObject({
      status: 400,
      details: { field: 'signals.Pressure', minimum: '0', maximum: '1000' },
    });
    const frame = await bench.post(`${api}/messages`, { channel: one, message: 'Tires' });
    expect(refusedOverHttp(frame)).toMatchObject({
      status: 400,
      details: { field: 'message', reason: 'too_long', limit: 8 },
    });
    expect(frame.text).toContain('busbar j1939 send --message=Tires');
    const unknown = await bench.post(`${api}/j1939/send`, { ...request, message: 'Tyres' });
    expect(refusedOverHttp(unknown)).toMatchObject({ status: 404, code: 'message_not_found' });
  });

  it('works from the command line', async () => {
    const args = ['--pgn=0xFECA', '--source=0x21', '--data=00FF6E000001FFFF', '--format=json'];
    const { code, stdout } = await bench.ask(['j1939', 'send', one, ...args]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ method: 'frame', pgn: 0xfeca, source: 0x21 });
    const bad = await bench.failure('j1939', 'send', one, '--pgn=x', '--source=0', '--data=00');
    expect(bad).toMatchObject({ code: 'invalid_argument', details: { field: 'pgn' } });
    const lost = await bench.failure(
      'j1939',
      'send',
      'SIM00001/3',
      '--pgn=0',
      '--source=0',
      '--data=00',
    );
    expect(lost.code).toBe('channel_not_open');
  });
});
