import { describe, expect, it } from 'vitest';
import { ask } from '../support/http.ts';
import { channelPath, refusedOverHttp } from './support/channel-bench.ts';
import { setUpSignalBench } from './support/signal-bench.ts';

const engine = `BU_: ECU
BO_ 256 Engine: 4 ECU
 SG_ Page M : 0|8@1+ (1,0) [0|1] "" ECU
 SG_ Speed m0 : 8|16@1+ (0.25,0) [0|16383.75] "rpm" ECU
 SG_ Load m1 : 8|8@1+ (1,0) [0|255] "%" ECU
BO_ 257 Brake: 1 ECU
 SG_ Pressure : 0|8@1+ (1,0) [0|255] "bar" ECU
`;
const other = `BO_ 256 Other: 1 ECU
 SG_ Value : 0|8@1+ (1,0) [0|255] "" ECU
BO_ 258 Light: 1 ECU
 SG_ Level : 0|8@1+ (1,0) [0|255] "" ECU
`;

const setUp = async () => {
  const bench = await setUpSignalBench();
  await bench.openSegment();
  await bench.use('engine', engine);
  await bench.use('other', other);
  const attach = (name: string) =>
    ask({ port: bench.port, method: 'PUT', path: channelPath('engine', `/databases/${name}`) });
  return { bench, attach };
};

describe('a plan of several messages', () => {
  it('decodes every message of a database, with names of message and signal', async () => {
    const { bench } = await setUp();
    const plan = await bench.plan({ database: 'engine' });
    expect(plan).toMatchObject({
      database: 'engine',
      message: null,
      messages: ['Engine', 'Brake'],
      id: null,
      extended: null,
      pgn: null,
      signals: ['Engine.Page', 'Engine.Speed', 'Engine.Load', 'Brake.Pressure'],
    });
    await bench.transmit({ id: 256, data: '00040000' });
    await bench.transmit({ id: 257, data: '07' });
    await bench.decoded(plan.plan_id, 2);
    expect(await bench.latest(plan.plan_id, 'Engine.Speed')).toMatchObject({
      signal: 'Engine.Speed',
      value: '1',
      mux: '0',
      source_address: null,
    });
    expect(await bench.latest(plan.plan_id, 'Brake.Pressure')).toMatchObject({
      value: '7',
      mux: null,
    });
  });

  it('takes the attached databases of that moment, and keeps them', async () => {
    const { bench, attach } = await setUp();
    expect(refusedOverHttp(await bench.create({ channel: 'engine' }))).toMatchObject({
      code: 'database_not_found',
    });
    await attach('engine');
    await attach('other');
    const plan = await bench.plan({ signals: ['Brake.*', '*.Level', 'Engine.Speed'] });
    expect(plan).toMatchObject({
      database: null,
      databases: ['engine', 'other'],
      messages: ['Engine', 'Brake', 'Light'],
      signals: ['Engine.Speed', 'Brake.Pressure', 'Light.Level'],
    });
    await bench.json('database', 'unload', 'engine');
    await bench.transmit({ id: 256, data: '00040000' });
    await bench.transmit({ id: 258, data: '09' });
    await bench.decoded(plan.plan_id, 2);
    expect(await bench.latest(plan.plan_id, 'Engine.Speed')).toMatchObject({ value: '1' });
  });

  it('finds one message in the attached databases', async () => {
    const { bench, attach } = await setUp();
    await attach('engine');
    await attach('other');
    expect(await bench.plan({ message: 'Light' })).toMatchObject({
      database: 'other',
      message: 'Light',
      messages: ['Light'],
      id: 258,
      signals: ['Level'],
    });
    expect(
      refusedOverHttp(await bench.create({ channel: 'engine', message: 'Ligth' })),
    ).toMatchObject({ code: 'message_not_found', details: { nearest: 'Light' } });
  });

  it('is refused as a whole', async () => {
    const { bench } = await setUp();
    const refused = async (request: object) =>
      refusedOverHttp(await bench.create({ channel: 'engine', database: 'engine', ...request }));
    expect(await refused({ signals: ['Engine.Sped'] })).toMatchObject({
      code: 'signal_not_found',
      details: { field: 'signals[0]', hint: 'Did you mean Engine.Speed?' },
    });
    expect(await refused({ source_address: 1 })).toMatchObject({
      details: { field: 'source_address', reason: 'not_j1939' },
    });
    const many = Array.from(
      { length: 600 },
      (_, id) =>
        `BO_ ${id} M${id}: 8 ECU\n${Array.from({ length: 8 }, (__, bit) => ` SG_ S${bit} : ${bit * 8}|8@1+ (1,0) [0|0] "" ECU\n`).join('')}`,
    ).join('');
    await bench.use('many', many);
    expect(await refused({ database: 'many' })).toMatchObject({
      status: 409,
      code: 'capacity_exceeded',
      details: { field: 'signals', limit: 4096 },
    });
    expect(await bench.plans()).toEqual([]);
  });
});
