import { describe, expect, it } from 'vitest';
import { eventually } from '../support/workbench.ts';
import { refusedByCli } from './support/channel-bench.ts';
import { type Answered, shareTransmitBench } from './support/transmit-bench.ts';

const attributes = `BA_DEF_ BO_ "GenMsgCycleTime" INT 0 65535;
BA_DEF_ BO_ "VFrameFormat" ENUM "StandardCAN","ExtendedCAN","r","r","r","r","r","r","r","r","r","r","r","r","StandardCAN_FD";
BA_DEF_DEF_ "GenMsgCycleTime" 0;
BA_DEF_DEF_ "VFrameFormat" "StandardCAN";
`;
const engine = (factor: string) => `VERSION ""
BU_: ECU Gateway
BO_ 256 Engine: 8 ECU
 SG_ EngineSpeed : 0|16@1+ (${factor},0) [0|8000] "rpm" Gateway
 SG_ Mode : 16|4@1+ (1,0) [0|15] "" Gateway
 SG_ Alive : 20|4@1+ (1,0) [0|14] "" Gateway
BO_ 512 Brakes: 4 Gateway
 SG_ Pressure : 0|16@1+ (0.1,0) [0|300] "bar" ECU
${attributes}BA_ "GenMsgCycleTime" BO_ 256 10;
BA_ "GenMsgCycleTime" BO_ 512 20;
VAL_ 256 Mode 0 "Off" 1 "Idle now" 15 "SNA" ;
`;
const wide = `BU_: ECU
BO_ 257 First: 8 ECU
 SG_ One : 0|8@1+ (1,0) [0|0] "" ECU
BO_ 258 Wide: 64 ECU
 SG_ Two : 0|8@1+ (1,0) [0|0] "" ECU
${attributes}BA_ "GenMsgCycleTime" BO_ 257 10;
BA_ "GenMsgCycleTime" BO_ 258 10;
BA_ "VFrameFormat" BO_ 258 14;
`;

/** As many slow messages, each with a signal. */
const restBus = (count: number): string => {
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  const messages = ids.map(
    (id) => `BO_ ${id} M${id}: 8 ECU\n SG_ Level : 0|8@1+ (1,0) [0|0] "" ECU\n`,
  );
  const cycles = ids.map((id) => `BA_ "GenMsgCycleTime" BO_ ${id} 60000;\n`);
  return `BU_: ECU\n${messages.join('')}${attributes}${cycles.join('')}`;
};

const sender = 'SIM00001/0';
const receiver = 'SIM00001/1';
const bench = shareTransmitBench(async (own) => {
  await own.open(sender);
  await own.open(receiver);
  await own.open('SIM00001/2', { bus: 'can' });
  own.write('engine.dbc', engine('0.25'));
  own.write('wide.dbc', wide);
  for (const file of ['engine.dbc', 'wide.dbc']) await own.create('databases', { file });
  await own.json('database', 'attach', 'engine', `--channel=${sender}`);
});

const tasks = async (): Promise<Answered[]> => (await bench.status('tx-tasks')).tx_tasks;

const valuesOf = ({ signals }: Answered): Record<string, string> =>
  Object.fromEntries(signals.map(({ signal, value }: Answered) => [signal, value]));

/** Waits for a frame with this payload after an event. */
const receives = (data: string, after: number): Promise<void> =>
  eventually(async () =>
    (await bench.receivedSoFar(receiver, after)).some((event) => event.data === data),
  );

describe('a task by name on the command line', () => {
  it('is added, changed, paused and removed as over HTTP', async () => {
    const after = await bench.newest();
    const made = await bench.json<Answered>(
      ...['tx-task', 'add', sender, 'Engine', 'EngineSpeed=780', 'Mode=Idle now'],
      '--counter=signal=Alive,max=1',
    );
    expect(made).toMatchObject({ message: 'Engine', period_us: 10_000, state: 'running' });
    expect(valuesOf(made)).toMatchObject({ EngineSpeed: '780', Mode: '1' });
    const { task_id } = made;
    await receives('300C010000000000', after);
    await receives('300C110000000000', after);
    const changed = await bench.json<Answered>(
      ...['tx-task', 'set', task_id, 'EngineSpeed=1e3', 'Mode=SNA', '--period=5ms'],
    );
    expect(changed.period_us).toBe(5_000);
    expect(valuesOf(changed)).toMatchObject({ EngineSpeed: '1000', Mode: '15' });
    await receives('A00F0F0000000000', after);
    const paused = await bench.json<Answered>('tx-task', 'set', task_id, '--enabled=false');
    expect(paused.state).toBe('paused');
    expect(await bench.json('tx-task', 'list')).toEqual({ tx_tasks: await tasks() });
    await bench.drained(sender);
    const resumed = await bench.newest();
    await bench.json('tx-task', 'set', task_id, 'EngineSpeed=2', '--raw', '--enabled=true');
    await receives('02000F0000000000', resumed);
    const frames = await bench.receivedSoFar(receiver, resumed);
    expect(frames.map(({ data }) => String(data).slice(0, 4))).not.toContain('A00F');
    expect(await bench.json('tx-task', 'remove', task_id)).toMatchObject({ task_id });
    expect(await tasks()).toEqual([]);
  });

  it('takes a message name as an option, with a period of its own', async () => {
    const words = ['--message=Engine', 'EngineSpeed=4', '--period=50ms', '--database=engine'];
    const made = await bench.json<Answered>('tx-task', 'add', sender, ...words);
    expect(made).toMatchObject({ message: 'Engine', period_us: 50_000, data: '1000000000000000' });
    await bench.end(`tx-tasks/${made.task_id}`);
  });

  it.each([
    ['Engine EngineSpeed=8001', 'invalid_argument', 'signals.EngineSpeed'],
    ['Engine EngineSpeed', 'invalid_argument', 'EngineSpeed'],
    ['Engine Mode=Idle', 'invalid_argument', 'signals.Mode'],
    ['Engine Mode=1 Mode=2', 'invalid_argument', 'signals.Mode'],
    ['Engine EngineSped=1', 'signal_not_found', 'signals.EngineSped'],
    ['Engin', 'message_not_found', 'message'],
    ['Engine --id=123', 'invalid_argument', 'message'],
    ['123#00 Mode=1 --period=1s', 'invalid_argument', 'signals'],
    ['Mode=1', 'message_not_found', 'message'],
    ['Engine Alive=1 --counter=signal=Alive', 'signal_not_writable', 'signals.Alive'],
    ['Engine --counter=signal=Alive,max=16', 'invalid_argument', 'counter.max'],
  ])('is refused: %s', async (words, code, field) => {
    const failure = await bench.failure('tx-task', 'add', sender, ...words.split(' '));
    expect(refusedByCli(failure)).toMatchObject({ code, details: { field } });
    expect(await tasks()).toEqual([]);
  });
});

interface Layout {
  readonly signals: readonly { readonly name: string; readonly factor: string }[];
}

describe('a running task by name', () => {
  it('keeps its message when the database is reloaded, detached and unloaded', async () => {
    bench.write('engine.dbc', engine('0.25'));
    bench.write('old.dbc', engine('0.25'));
    await bench.create('databases', { file: 'old.dbc' });
    await bench.json('database', 'attach', 'old', `--channel=${sender}`);
    const request = { channel: sender, message: 'Engine', database: 'old' };
    const { task_id } = await bench.create('tx-tasks', { ...request, signals: { Mode: 'SNA' } });
    const after = await bench.newest();
    const set = async (speed: string) =>
      valuesOf(await bench.json('tx-task', 'set', task_id, `EngineSpeed=${speed}`));

    bench.write('old.dbc', engine('0.5').replaceAll('Mode', 'State'));
    await bench.json('database', 'reload', 'old');
    expect(await set('100')).toMatchObject({ EngineSpeed: '100', Mode: '15' });
    const { signals } = await bench.json<Layout>('tx-task', 'message', task_id);
    expect(signals).toContainEqual(expect.objectContaining({ name: 'Mode' }));
    expect(signals.find(({ name }) => name === 'EngineSpeed')?.factor).toBe('0.25');
    await receives('90010F0000000000', after);
    const sent = await bench.json<Answered>(
      ...['message', 'send', sender, 'Engine', 'EngineSpeed=100', 'State=SNA', '--database=old'],
    );
    expect(sent.data).toBe('C8000F0000000000');

    await bench.json('database', 'detach', 'old', `--channel=${sender}`);
    expect(await set('200')).toMatchObject({ EngineSpeed: '200', Mode: '15' });
    await receives('20030F0000000000', after);

    await bench.json('database', 'unload', 'old');
    expect(await set('300')).toMatchObject({ EngineSpeed: '300', Mode: '15' });
    await receives('B0040F0000000000', after);
    expect(await tasks()).toMatchObject([{ task_id, database: 'old', state: 'running' }]);
    expect(valuesOf(await bench.end(`tx-tasks/${task_id}`))).toMatchObject({ EngineSpeed: '300' });
  });
});

describe('a rest bus', () => {
  it('is made on the command line and has as many tasks as there can be', async () => {
    bench.write('rest.dbc', restBus(1024));
    await bench.create('databases', { file: 'rest.dbc' });
    const made = await bench.json<Answered>(
      ...['tx-task', 'import', 'SIM00001/2', '--database=rest', '--node=ECU'],
    );
    expect([made.tasks.length, made.skipped]).toEqual([1024, []]);
    expect(await tasks()).toMatchObject(
      made.tasks.map(({ task_id, message }: Answered) => ({
        ...{ task_id, message },
        signals: [{ signal: 'Level', value: '0' }],
      })),
    );
    const one = await bench.failure('tx-task', 'add', sender, 'Engine');
    expect(refusedByCli(one)).toMatchObject({ code: 'capacity_exceeded' });
    await bench.remove('SIM00001/2');
    expect(await tasks()).toEqual([]);
    await bench.open('SIM00001/2', { bus: 'can' });
    await bench.end('databases/rest');
  });

  it('is refused as a whole if there are too many messages', async () => {
    bench.write('large.dbc', restBus(1025));
    await bench.create('databases', { file: 'large.dbc' });
    const failure = await bench.failure('tx-task', 'import', 'SIM00001/2', '--database=large');
    expect(refusedByCli(failure)).toMatchObject({
      code: 'capacity_exceeded',
      details: { limit: 1024 },
    });
    expect(await tasks()).toEqual([]);
    await bench.end('databases/large');
  });

  it('is refused as a whole if the channel cannot send one of its frames', async () => {
    const words = ['tx-task', 'import', 'SIM00001/2', '--database=wide'];
    expect(refusedByCli(await bench.failure(...words))).toMatchObject({
      code: 'invalid_argument',
      details: { field: 'database', message: 'Wide', reason: 'not_on_bus' },
    });
    expect(await tasks()).toEqual([]);
    const made = await bench.json<Answered>('tx-task', 'import', sender, '--database=wide');
    expect(made.tasks).toMatchObject([{ message: 'First' }, { message: 'Wide', fd: true }]);
    for (const { task_id } of made.tasks) await bench.end(`tx-tasks/${task_id}`);
  });
});
