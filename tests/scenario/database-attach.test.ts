import { describe, expect, it } from 'vitest';
import { ask } from '../support/http.ts';
import { SseClient } from '../support/sse.ts';
import { eventually } from '../support/workbench.ts';
import { api, channelPath, refusedByCli, refusedOverHttp } from './support/channel-bench.ts';
import { type SignalBench, setUpSignalBench } from './support/signal-bench.ts';

const engine = `BU_: ECU
BO_ 256 Engine: 3 ECU
 SG_ Speed : 0|16@1+ (0.25,0) [0|16383.75] "rpm" ECU
 SG_ Gear : 16|3@1+ (1,0) [0|7] "" ECU
BO_ 257 Brake: 1 ECU
 SG_ Pressure : 0|8@1+ (1,0) [0|255] "bar" ECU
VAL_ 256 Gear 0 "park" 1 "drive" ;
`;
const other = `BO_ 256 Other: 3 ECU
 SG_ Value : 0|8@1+ (1,0) [0|255] "" ECU
`;

const setUp = async () => {
  const bench = await setUpSignalBench();
  await bench.openSegment();
  await bench.use('engine', engine);
  await bench.use('other', other);
  const call = async (method: 'PUT' | 'DELETE', name: string, selector = 'engine') =>
    ask({ port: bench.port, method, path: channelPath(selector, `/databases/${name}`) });
  const attach = async (name: string, selector?: string) =>
    (await call('PUT', name, selector)).json();
  const detach = async (name: string) => (await call('DELETE', name)).json();
  const events = async (query = '') =>
    (await bench.get(`${api}/messages/history?channel=engine&decode=true${query}`)).json().events;
  /** Sends a frame and waits for its event: a frame is accepted before it is on the bus. */
  const transmit = async (frame: object) => {
    const { length } = await events();
    await bench.transmit(frame);
    await eventually(async () => (await events()).length > length);
  };
  const names = async () => (await events()).map(({ message }: { message: string }) => message);
  return { bench, call, attach, detach, transmit, events, names };
};

describe('attached databases', () => {
  it('are listed in order, and attaching one again keeps it', async () => {
    const { bench, attach, detach } = await setUp();
    expect(await attach('engine')).toMatchObject({ selector: 'SIM00001/0', databases: ['engine'] });
    expect((await attach('other')).databases).toEqual(['engine', 'other']);
    expect((await attach('engine')).databases).toEqual(['engine', 'other']);
    expect((await detach('engine')).databases).toEqual(['other']);
    expect(await bench.json('database', 'attach', 'engine', '--channel=engine')).toMatchObject({
      databases: ['other', 'engine'],
    });
    expect(await bench.json('database', 'detach', 'other', '--channel=SIM00001/0')).toMatchObject({
      databases: ['engine'],
    });
    expect((await bench.get(channelPath('peer'))).json().databases).toEqual([]);
  });

  it('name and decode frames in history, the first database that has a message first', async () => {
    const { transmit, attach, events } = await setUp();
    await transmit({ id: 256, data: '330C01' });
    expect((await events())[0]).not.toHaveProperty('message');
    await attach('engine');
    await attach('other');
    await transmit({ id: 0x7ff, data: '00' });
    const [known, unknown] = await events();
    expect(known).toMatchObject({
      data: '330C01',
      message: 'Engine',
      signals: [
        { signal: 'Speed', value: '780.75', raw: '3123', unit: 'rpm', label: null },
        { signal: 'Gear', value: '1', raw: '1', unit: '', label: 'drive' },
      ],
    });
    expect(unknown).toMatchObject({ message: null, signals: [] });
  });

  it('decode a stream, and a change is seen by its next frame', async () => {
    const { bench, attach, detach } = await setUp();
    await attach('engine');
    const path = `${api}/messages/stream?channel=engine&decode=true&after=0`;
    const stream = await SseClient.open({ port: bench.port, path });
    await bench.transmit({ id: 257, data: '07' });
    const [brake] = await stream.take(1);
    expect(brake?.data).toMatchObject({ message: 'Brake', signals: [{ value: '7', unit: 'bar' }] });
    await detach('engine');
    await bench.transmit({ id: 257, data: '07' });
    const [raw] = await stream.take(1);
    expect(raw?.data).not.toHaveProperty('message');
    stream.close();
  });

  it('decode with the new file after a reload; a wrong file changes nothing', async () => {
    const { bench, transmit, attach, names } = await setUp();
    await attach('engine');
    await transmit({ id: 256, data: '330C01' });
    bench.write('engine.dbc', engine.replace('Engine', 'Motor'));
    expect(await bench.json('database', 'reload', 'engine')).toMatchObject({ name: 'engine' });
    expect(await names()).toEqual(['Motor']);
    bench.write('engine.dbc', '\u0000');
    const path = `${api}/databases/engine/reload`;
    const refused = await ask({ port: bench.port, method: 'POST', path });
    expect(refusedOverHttp(refused)).toMatchObject({ code: 'invalid_database', status: 422 });
    expect(await names()).toEqual(['Motor']);
  });

  it('are detached when they are unloaded, and end with the channel', async () => {
    const { bench, transmit, attach, names } = await setUp();
    await attach('engine');
    await attach('other');
    await transmit({ id: 256, data: '330C01' });
    await bench.json('database', 'unload', 'engine');
    expect((await bench.get(channelPath('engine'))).json().databases).toEqual(['other']);
    expect(await names()).toEqual(['Other']);
    await bench.json('channel', 'close', 'engine');
    await bench.open('SIM00001/0', { name: 'engine' });
    expect((await bench.get(channelPath('engine'))).json().databases).toEqual([]);
  });

  it('are refused by name, by channel and by bus, with the nearest name', async () => {
    const { bench, call, attach } = await setUp();
    await bench.open('SIM00001/4', { name: 'doors' });
    expect(refusedOverHttp(await call('PUT', 'engin'))).toMatchObject({
      status: 404,
      code: 'database_not_found',
      details: { database: 'engin', hint: 'Did you mean engine?' },
    });
    expect(refusedOverHttp(await call('PUT', 'engine', 'engnie'))).toMatchObject({
      status: 404,
      code: 'channel_not_found',
    });
    expect(refusedOverHttp(await call('PUT', 'engine', 'doors'))).toMatchObject({
      status: 400,
      code: 'invalid_argument',
      details: { field: 'name', reason: 'not_on_bus' },
    });
    await attach('other');
    expect(refusedOverHttp(await call('DELETE', 'engine'))).toMatchObject({
      status: 404,
      code: 'database_not_found',
      details: { field: 'name', database: 'engine' },
    });
    expect(
      refusedByCli(await bench.failure('database', 'attach', 'engine', '--channel=SIM00001/3')),
    ).toMatchObject({ code: 'channel_not_found' });
  });
});

describe('databases of the bench file', () => {
  it('are loaded and attached whenever their channel is opened', async () => {
    const bench = await setUpSignalBench();
    bench.write('engine.dbc', engine);
    bench.write('broken.dbc', '\u0000');
    bench.write(
      'busbar.bench.json',
      JSON.stringify({
        devices: [{ driver: 'virtual', address: 'SIM00001', ports: { 0: 'powertrain' } }],
        networks: { body: 'SIM00001/2' },
        databases: { powertrain: ['engine.dbc', 'broken.dbc', 'gone.dbc'], body: ['engine.dbc'] },
      }),
    );
    const opened = await bench.open('powertrain', { mode: 'loopback' });
    expect(opened).toMatchObject({
      name: 'powertrain',
      databases: ['engine'],
      warnings: [
        { code: 'database_not_attached', message: expect.stringMatching(/^broken\.dbc: /) },
        { code: 'database_not_attached', message: expect.stringMatching(/^gone\.dbc: /) },
      ],
    });
    expect(await bench.open('body')).toMatchObject({ databases: ['engine'], warnings: [] });
    await bench.json('database', 'detach', 'engine', '--channel=powertrain');
    await bench.json('channel', 'close', 'powertrain');
    expect(await bench.open('powertrain')).toMatchObject({ databases: ['engine'] });
  });

  it('are refused where they belong to no channel of the file', async () => {
    const bench = await setUpSignalBench();
    bench.write(
      'busbar.bench.json',
      JSON.stringify({ networks: { body: 'SIM00001/2' }, databases: { bodi: ['engine.dbc'] } }),
    );
    expect(refusedByCli(await bench.failure('bench', 'show'))).toMatchObject({
      code: 'invalid_bench',
      details: { problems: [{ field: 'databases.bodi' }] },
    });
  });
});

describe('message recv --decode', () => {
  it('prints names and values in every format', async () => {
    const { bench, attach } = await setUp();
    await attach('engine');
    await bench.transmit({ id: 256, data: '330C01' });
    await bench.transmit({ id: 0x123, data: '00' });
    const recv = async (format: string) => {
      const { stdout } = await bench.ask([
        ...['message', 'recv', '--channel=engine', '--after=0', '--count=2', '--decode'],
        `--format=${format}`,
      ]);
      return stdout;
    };
    expect(await recv('text')).toMatch(
      /33 0C 01 :: Engine\(Speed: 780.75 rpm, Gear: drive\)\n.*00\n$/s,
    );
    const [first, second] = (await recv('jsonl'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(first).toMatchObject({ message: 'Engine', signals: [{ value: '780.75' }, {}] });
    expect(second).toMatchObject({ message: null, signals: [] });
    const [head, row] = (await recv('csv')).split('\n');
    expect(head).toMatch(/,count,message,signals$/);
    expect(row).toContain(',Engine,"[{""signal"":""Speed""');
    expect(
      (await bench.ask(['message', 'history', '--channel=engine', '--decode'])).stdout,
    ).toContain(':: Engine(Speed: 780.75 rpm, Gear: drive)');
  });
});

describe('signal watch --channel', () => {
  const watch = (bench: SignalBench, ...more: string[]) =>
    bench.ask([...['signal', 'watch', '--channel=engine', '--after=0', '--format=jsonl'], ...more]);
  const valuesOf = ({ stdout }: { stdout: string }) =>
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ message, signal, value }) => `${message}.${signal}=${value}`);

  it('prints signals without a plan, by patterns, and only changes if asked', async () => {
    const { bench, attach } = await setUp();
    await attach('engine');
    for (const data of ['040000', '040001', '080001']) await bench.transmit({ id: 256, data });
    await bench.transmit({ id: 257, data: '07' });
    expect(valuesOf(await watch(bench, '--count=7'))).toEqual([
      ...['Engine.Speed=1', 'Engine.Gear=0', 'Engine.Speed=1', 'Engine.Gear=1'],
      ...['Engine.Speed=2', 'Engine.Gear=1', 'Brake.Pressure=7'],
    ]);
    expect(valuesOf(await watch(bench, 'Brake.*', '*.Gear', '--count=3'))).toEqual([
      ...['Engine.Gear=0', 'Engine.Gear=1', 'Engine.Gear=1'],
    ]);
    expect(valuesOf(await watch(bench, '--changes', '--count=5'))).toEqual([
      ...['Engine.Speed=1', 'Engine.Gear=0', 'Engine.Gear=1', 'Engine.Speed=2'],
      'Brake.Pressure=7',
    ]);
  });

  it('refuses what it could not show', async () => {
    const { bench, attach } = await setUp();
    const refusal = async (...words: string[]) => {
      const { code, stderr } = await bench.ask(['signal', 'watch', ...words, '--format=json']);
      return { exit: code, ...JSON.parse(stderr).error };
    };
    expect(await refusal('--channel=engine')).toMatchObject({ code: 'database_not_found' });
    await attach('engine');
    expect(await refusal('--channel=engine', 'Engine.Sped')).toMatchObject({
      code: 'signal_not_found',
      details: { field: 'pattern[0]' },
      hint: 'Did you mean Engine.Speed?',
    });
    expect(await refusal('--channel=engine', '--plan=a')).toMatchObject({
      details: { field: 'plan', reason: 'conflicts_with_channel' },
    });
    expect(await refusal('Engine.*')).toMatchObject({ details: { field: 'pattern' } });
    expect(await refusal('--channel=engine', '--table')).toMatchObject({
      details: { field: 'table', reason: 'no_terminal' },
    });
  });
});
