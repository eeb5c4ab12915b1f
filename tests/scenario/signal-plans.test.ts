import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { api, refusedByCli, refusedOverHttp } from './support/channel-bench.ts';
import { SignalBench, setUpSignalBench } from './support/signal-bench.ts';

const vehicle = `VERSION ""
BU_: ECU
BO_ 256 Engine: 8 ECU
 SG_ Speed : 0|16@1+ (0.1,0) [0|0] "rpm" ECU
 SG_ Load : 16|8@1+ (1,0) [0|0] "%" ECU
BO_ 257 Body: 8 ECU
 SG_ Door : 0|1@1+ (1,0) [0|0] "" ECU
BO_ 300 Silent: 8 ECU
BO_ 2147483904 Twin: 8 ECU
 SG_ Other : 0|8@1+ (1,0) [0|0] "" ECU
BO_ 2566844926 Axle: 8 ECU
 SG_ Weight : 0|8@1+ (1,0) [0|0] "kg" ECU
`;

/** The list when this is the only plan. */
const listOf = (plan: unknown) => ({
  plans: [plan],
  plan_total: 1,
  plan_offset: 0,
  plan_next_offset: 1,
  missed_events: 0,
});

describe('a signal plan', () => {
  // A separate daemon: slots and missed events are counted.
  const bench = new SignalBench();
  beforeAll(async () => {
    await bench.start();
    await bench.openSegment();
    await bench.use('vehicle', vehicle);
  });
  afterAll(() => bench.dispose());
  const usual = { channel: 'engine', database: 'vehicle', message: 'Engine' };

  afterEach(async () => {
    for (const { plan_id } of await bench.plans()) await bench.deletePlan(plan_id);
  });

  it('is created with 201, listed, and deleted with its final record', async () => {
    const answer = await bench.create(usual);
    expect(answer.status, answer.text).toBe(201);
    const plan = answer.json();
    expect(plan).toEqual({
      plan_id: expect.stringMatching(/^\S+$/),
      channel: 'engine',
      selector: 'SIM00001/0',
      slot: 0,
      database: 'vehicle',
      message: 'Engine',
      id: 256,
      extended: false,
      pgn: null,
      databases: ['vehicle'],
      messages: ['Engine'],
      source_address: null,
      signals: ['Speed', 'Load'],
      omitted: [],
      omitted_total: 0,
      history: 1024,
      frames: 0,
      channel_open: true,
    });
    expect((await bench.get(`${api}/signals`)).json()).toEqual(listOf(plan));
    const deleted = await bench.deletePlan(plan.plan_id);
    expect([deleted.status, deleted.json()]).toEqual([200, plan]);
    expect(await bench.plans()).toEqual([]);
    expect(refusedOverHttp(await bench.deletePlan(plan.plan_id))).toEqual({
      status: 404,
      code: 'plan_not_found',
      details: { plan: plan.plan_id },
    });
  });

  it('is the same over the CLI', async () => {
    const plan = await bench.json(
      ...['signal', 'plan', 'create', '--channel=sim-0000-0001/0', '--database=vehicle'],
      ...['--message=0x18FEF1FE', '--signals=Weight', '--history=7'],
    );
    expect(plan).toMatchObject({
      channel: 'sim-0000-0001/0',
      selector: 'SIM00001/0',
      message: 'Axle',
      id: 0x18fef1fe,
      extended: true,
      signals: ['Weight'],
      history: 7,
    });
    expect(await bench.json('signal', 'list')).toEqual(listOf(plan));
    const { stdout } = await bench.ask(['signal', 'list']);
    expect(stdout).toContain(plan.plan_id);
    expect(await bench.json('signal', 'plan', 'delete', String(plan.plan_id))).toEqual(plan);
    const again = await bench.failure('signal', 'plan', 'delete', String(plan.plan_id));
    expect(refusedByCli(again)).toMatchObject({ exit: 1, code: 'plan_not_found' });
  });

  it.each([
    ['Engine', 'Engine'],
    ['101', 'Body'],
    [257, 'Body'],
    ['0x101', 'Body'],
    ['0X101', 'Body'],
    ['Twin', 'Twin'],
    [0x18fef1fe, 'Axle'],
    ['18FEF1FE', 'Axle'],
    // The digits define the width.
    ['100', 'Engine'],
    ['00000100', 'Twin'],
  ])('takes the message %j, which is %s', async (message, name) => {
    expect(await bench.plan({ ...usual, message })).toMatchObject({ message: name });
  });

  it('does not guess which message a number is', async () => {
    const message = 256;
    expect(refusedOverHttp(await bench.create({ ...usual, message }))).toEqual({
      status: 400,
      code: 'invalid_argument',
      details: { field: 'message', reason: 'ambiguous', messages: ['Engine', 'Twin'] },
    });
  });

  it.each(['engine', '0', 'SIM00001/0', 'sim-0000-0001/0'])(
    'takes %s for its channel',
    async (channel) => {
      expect(await bench.plan({ ...usual, channel })).toMatchObject({
        channel,
        selector: 'SIM00001/0',
        slot: 0,
      });
    },
  );

  it('decodes the signals that were chosen, in that order', async () => {
    const { plan_id, signals } = await bench.plan({ ...usual, signals: ['Load', 'Speed'] });
    expect(signals).toEqual(['Load', 'Speed']);
    const other = await bench.plan({ ...usual, signals: ['Load'] });
    expect(other.signals).toEqual(['Load']);
    expect(refusedOverHttp(await bench.latestAnswer(other.plan_id, 'Speed'))).toMatchObject({
      status: 404,
      code: 'signal_not_found',
    });
    expect(refusedOverHttp(await bench.latestAnswer(plan_id, 'Speed'))).toMatchObject({
      status: 404,
      code: 'no_sample',
    });
  });

  it.each([
    [{ database: 'nothing' }, 404, 'database_not_found'],
    [{ message: 'Nothing' }, 404, 'message_not_found'],
    [{ message: '0x7FF' }, 404, 'message_not_found'],
    [{ message: 1 }, 404, 'message_not_found'],
    [{ signals: ['Speed', 'Nothing'] }, 404, 'signal_not_found'],
    [{ channel: 'nobody' }, 404, 'channel_not_found'],
    [{ channel: '77' }, 404, 'channel_not_found'],
    [{ channel: 'SIM00001/2' }, 409, 'channel_not_open'],
    [{ channel: 'SIM00001/' }, 400, 'invalid_channel_selector'],
  ])('cannot be made with %j: %i %s', async (change, status, code) => {
    expect(refusedOverHttp(await bench.create({ ...usual, ...change }))).toMatchObject({
      status,
      code,
    });
    expect(await bench.plans()).toEqual([]);
  });

  it.each([
    [{ message: 'Silent' }, 'signals'],
    [{ message: '' }, 'message'],
    [{ message: -1 }, 'message'],
    [{ message: null }, 'message'],
    [{ signals: [] }, 'signals'],
    [{ signals: 'Speed' }, 'signals'],
    [{ signals: ['Speed', 'Speed'] }, 'signals'],
    [{ history: 0 }, 'history'],
    [{ history: 65_537 }, 'history'],
    [{ history: 1.5 }, 'history'],
    [{ history: '5' }, 'history'],
    [{ database: '' }, 'database'],
    [{ bus: 'can' }, 'bus'],
  ])('cannot be asked for with %j', async (change, field) => {
    expect(refusedOverHttp(await bench.create({ ...usual, ...change }))).toMatchObject({
      status: 400,
      code: 'invalid_argument',
      details: { field },
    });
  });

  it.each([1, 65_536])('keeps a history of %i', async (history) => {
    expect(await bench.plan({ ...usual, history })).toMatchObject({ history });
  });

  it('goes on when its database is unloaded', async () => {
    await bench.use('brief', vehicle);
    const { plan_id } = await bench.plan({ ...usual, database: 'brief' });
    await bench.json('database', 'unload', 'brief');
    await bench.transmit({ id: 256, data: '0A0005' });
    await bench.decoded(plan_id, 1);
    expect(await bench.latest(plan_id, 'Speed')).toMatchObject({ value: '1' });
    expect((await bench.plans())[0]).toMatchObject({ database: 'brief' });
  });
});

describe('a plan whose channel is closed', () => {
  it('keeps its samples and says so, also when others are opened', async () => {
    const bench = await setUpSignalBench();
    await bench.openSegment();
    await bench.use('vehicle', vehicle);
    const { plan_id } = await bench.plan({ database: 'vehicle', message: 'Engine' });
    await bench.transmit({ id: 256, data: '640005' });
    await bench.decoded(plan_id, 1);
    await bench.remove('engine');
    const closed = expect.objectContaining({ channel_open: false, selector: 'SIM00001/0' });
    expect(await bench.plans()).toEqual([closed]);
    const sample = await bench.latest(plan_id, 'Speed');
    expect(sample).toMatchObject({ value: '10' });

    await bench.open('SIM00001/2', { mode: 'loopback', name: 'engine' });
    const witness = await bench.plan({ database: 'vehicle', message: 'Engine' });
    await bench.transmit({ id: 256, data: '0A0005' });
    await bench.decoded(witness.plan_id, 2);
    expect((await bench.plans())[0]).toEqual(closed);
    expect(await bench.latest(plan_id, 'Speed')).toEqual(sample);
  });
});

describe('the samples of all plans together', () => {
  it('are not promised more memory than there is for them', async () => {
    const bench = await setUpSignalBench();
    await bench.openSegment();
    await bench.use('vehicle', vehicle);
    const request = { channel: 'engine', database: 'vehicle', message: 'Engine', history: 65_536 };
    const statuses: number[] = [];
    let answer = await bench.create(request);
    while (answer.status === 201) {
      statuses.push(answer.status);
      answer = await bench.create(request);
    }
    expect(answer.status).toBe(409);
    expect(answer.json().error).toMatchObject({
      code: 'capacity_exceeded',
      details: { field: 'history' },
    });
    expect(statuses.length).toBeGreaterThan(100);
  });
});
