import { afterEach, describe, expect, it } from 'vitest';
import { api, refusedByCli, refusedOverHttp } from './support/channel-bench.ts';
import { shareSignalBench } from './support/signal-bench.ts';

const marked = (id: number): number => id + 0x8000_0000;

const truck = `VERSION ""
BU_: ECU
BO_ ${marked(0x18fe_f1fe)} CCVS1: 8 ECU
 SG_ WheelSpeed : 8|16@1+ (0.00390625,0) [0|250.996] "km/h" ECU
BO_ ${marked(0x18ea_fffe)} Request: 3 ECU
 SG_ RequestedPgn : 0|24@1+ (1,0) [0|0] "" ECU
BO_ ${marked(0x18ff_5001)} Plain: 8 ECU
 SG_ Value : 0|8@1+ (1,0) [0|0] "" ECU
BA_DEF_ BO_ "VFrameFormat" ENUM "StandardCAN","ExtendedCAN","reserved","J1939PG";
BA_DEF_ "ProtocolType" STRING ;
BA_DEF_DEF_ "VFrameFormat" "J1939PG";
BA_DEF_DEF_ "ProtocolType" "";
BA_ "ProtocolType" "J1939";
BA_ "VFrameFormat" BO_ ${marked(0x18ff_5001)} 1;
`;

const odd = `VERSION ""
BU_: ECU
BO_ 256 Engine: 8 ECU
 SG_ Speed : 0|8@1+ (1,0) [0|0] "" ECU
 SG_ Speed : 8|8@1+ (1,0) [0|0] "" ECU
 SG_ Pedal : 16|8@1+ (0.39215686275,0) [0|100] "%" ECU
BO_ 257 Engine: 8 ECU
 SG_ Other : 0|8@1+ (1,0) [0|0] "" ECU
BO_ 258 Mixed: 64 ECU
 SG_ Good : 0|8@1+ (1,0) [0|0] "" ECU
 SG_ Blob : 0|520@1+ (1,0) [0|0] "" ECU
BO_ 259 OnlyBlob: 64 ECU
 SG_ Blob : 0|520@1+ (1,0) [0|0] "" ECU
BO_ 260 Large: 8 ECU
${Array.from({ length: 10_000 }, (_, index) => ` SG_ S${index} : ${index % 64}|1@1+ (1,0) [0|1] "" ECU`).join('\n')}
`;

const bench = shareSignalBench(async (fresh) => {
  await fresh.openSegment();
  await fresh.use('truck', truck);
  await fresh.use('odd', odd);
});

afterEach(async () => {
  for (const { plan_id } of await bench.plans()) await bench.deletePlan(plan_id);
});

const show = async (query: string) => (await bench.get(`${api}/databases/odd?${query}`)).json();

describe('a J1939 database', () => {
  const frame = (id: number) => ({ id, extended: true, data: '0000400000000000' });

  it('decodes its groups from every address and priority, and tells so', async () => {
    expect(await bench.json('database', 'list')).toMatchObject({
      databases: [{ name: 'truck', j1939_messages: 2, warnings: 0, errors: 0 }, { name: 'odd' }],
    });
    const content = (await bench.get(`${api}/databases/truck`)).json();
    expect(content.diagnostics).toMatchObject([{ severity: 'info', code: 'matched_by_pgn' }]);
    expect(content.message_page.map(({ pgn }: { pgn: number | null }) => pgn)).toEqual([
      0xfef1,
      0xea00,
      null,
    ]);
    const plan = await bench.plan({ database: 'truck', message: 'CCVS1' });
    expect(plan).toMatchObject({ pgn: 0xfef1, source_address: null, id: 0x18fe_f1fe });
    for (const id of [0x18fe_f1fe, 0x0cfe_f100, 0x18fe_f121]) await bench.transmit(frame(id));
    await bench.transmit(frame(0x18fe_f200));
    await bench.decoded(plan.plan_id, 3);
    const { samples } = await bench.page(plan.plan_id, 'WheelSpeed');
    expect(samples.map(({ value }) => value)).toEqual(['64', '64', '64']);
    expect(new Set(samples.map(({ event_id }) => event_id)).size).toBe(3);
  });

  it('does not take the destination of a frame for a part of its group', async () => {
    const plan = await bench.plan({ database: 'truck', message: 'Request' });
    await bench.transmit({ id: 0x18ea_0021, extended: true, data: 'F1FE00' });
    await bench.decoded(plan.plan_id, 1);
    expect(await bench.latest(plan.plan_id, 'RequestedPgn')).toMatchObject({ value: '65265' });
  });

  it('decodes one address alone where that is asked for, also on the command line', async () => {
    const plan = await bench.json<{ plan_id: string }>(
      ...['signal', 'plan', 'create', '--channel=engine', '--database=truck'],
      ...['--message=0x0CFEF121', '--source-address=33'],
    );
    expect(plan).toMatchObject({ message: 'CCVS1', pgn: 0xfef1, source_address: 33 });
    await bench.transmit(frame(0x18fe_f100));
    await bench.transmit(frame(0x0cfe_f121));
    await bench.decoded(plan.plan_id, 1);
  });

  it('matches messages of other formats by their identifier, which has no source', async () => {
    const plan = await bench.plan({ database: 'truck', message: 'Plain' });
    await bench.transmit(frame(0x18ff_5002));
    await bench.transmit(frame(0x18ff_5001));
    await bench.decoded(plan.plan_id, 1);
    const request = { channel: 'engine', database: 'truck', message: 'Plain', source_address: 1 };
    expect(refusedOverHttp(await bench.create(request))).toMatchObject({
      status: 400,
      code: 'invalid_argument',
      details: { field: 'source_address', reason: 'not_j1939' },
    });
  });
});

describe('a database with flaws', () => {
  it('has every name once, and the first counts', async () => {
    const { message_page, diagnostics } = await show('limit=2');
    expect(message_page).toMatchObject([
      { name: 'Engine', id: 256, signals: [{ name: 'Speed' }, { name: 'Speed#2' }, {}] },
      { name: 'Engine#2', id: 257 },
    ]);
    expect(diagnostics.map(({ action }: { action: string }) => action)).toContain(
      'the first one is used; this one is renamed Speed#2',
    );
    const plan = await bench.plan({ database: 'odd', message: 'Engine' });
    expect(plan).toMatchObject({ id: 256, signals: ['Speed', 'Speed#2', 'Pedal'] });
    await bench.transmit({ id: 256, data: '0102FF' });
    await bench.decoded(plan.plan_id, 1);
    expect(await bench.latest(plan.plan_id, 'Speed')).toMatchObject({ value: '1' });
    expect(await bench.latest(plan.plan_id, 'Speed#2')).toMatchObject({ value: '2' });
    expect(await bench.plan({ database: 'odd', message: 'Engine#2' })).toMatchObject({ id: 257 });
  });

  it('may have rounded its limits: what the bits hold is valid', async () => {
    const plan = await bench.plan({ database: 'odd', message: 'Engine', signals: ['Pedal'] });
    await bench.transmit({ id: 256, data: '0000FF' });
    await bench.decoded(plan.plan_id, 1);
    expect(await bench.latest(plan.plan_id, 'Pedal')).toMatchObject({
      value: '100.00000000125',
      valid: true,
    });
  });

  it('decodes the signals that can be, and tells which cannot and why', async () => {
    const omitted = [{ signal: 'Blob', reason: 'Blob must have 1 to 512 bits' }];
    const plan = await bench.plan({ database: 'odd', message: 'Mixed' });
    expect(plan).toMatchObject({ signals: ['Good'], omitted, omitted_total: 1 });
    await bench.transmit({ id: 258, data: '07' });
    await bench.decoded(plan.plan_id, 1);
    expect(await bench.latest(plan.plan_id, 'Good')).toMatchObject({ value: '7' });
    const cli = await bench.failure(
      ...['signal', 'plan', 'create', '--channel=engine', '--database=odd', '--message=OnlyBlob'],
    );
    expect(refusedByCli(cli)).toMatchObject({
      code: 'invalid_argument',
      details: { field: 'signals', reason: 'undecodable', omitted },
    });
  });

  it('is shown in pages, also one message of very many signals', async () => {
    const first = await show('offset=4');
    expect(first).toMatchObject({ message_offset: 4, message_next_offset: 5, message_total: 5 });
    const names: string[] = [];
    for (let left = 1; left > 0; ) {
      const [message] = (await show(`offset=4&limit=1&signal_offset=${names.length}`)).message_page;
      expect(message).toMatchObject({ name: 'Large', signal_offset: names.length });
      names.push(...message.signals.map(({ name }: { name: string }) => name));
      left = message.signals_omitted;
    }
    expect([names.length, new Set(names).size]).toEqual([10_000, 10_000]);
    const cli = await bench.json<{ message_page: { signals: unknown[] }[] }>(
      ...['database', 'show', 'odd', '--offset=4', '--limit=1', '--signal-offset=9999'],
    );
    expect(cli.message_page[0]?.signals).toMatchObject([{ name: 'S9999' }]);
    const plan = await bench.plan({ database: 'odd', message: 'Large', signals: ['S9000'] });
    expect(plan).toMatchObject({ signals: ['S9000'] });
  });
});
