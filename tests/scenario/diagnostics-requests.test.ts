import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/workbench.ts';
import { api } from './support/channel-bench.ts';
import { type Answered, accepted, TransmitBench } from './support/transmit-bench.ts';

const tester = 'SIM00001/0';
const ecu = 'SIM00001/1';

describe('requests to an ECU', () => {
  const bench = new TransmitBench();

  beforeAll(async () => {
    bench.write(
      'busbar.bench.json',
      JSON.stringify({
        ecus: {
          engine: {
            channel: tester,
            request_id: '7E0',
            response_id: '7E8',
            functional_id: '7DF',
            padding: 'none',
            // The test answers for the ECU, and may be held up.
            ...{ p2_ms: 60_000, n_bs_ms: 60_000, n_cr_ms: 60_000 },
            dids: { F190: { name: 'vin', length: 17, codec: 'ascii' } },
          },
        },
      }),
    );
    await bench.start();
    for (const port of [tester, ecu]) await bench.open(port);
  });
  afterEach(() => bench.end('diagnostics/engine'));
  afterAll(() => bench.dispose());

  const ask = (json: object) => bench.post(`${api}/diagnostics/engine/requests`, json);

  const say = async (...frames: string[]): Promise<void> => {
    for (const data of frames) accepted(await bench.send({ channel: ecu, id: '7E8', data }), 200);
  };

  const record = (): Promise<Answered> => bench.status('diagnostics/engine');

  /** Frames that the ECU has received since an event. */
  const seen = async (count: number, after: number): Promise<string[]> =>
    (await bench.received(ecu, count, after)).map(({ data }) => data);

  it('are answered in the order in which callers send them', async () => {
    const before = await bench.newest();
    const asked = ['22F190', '22F18C', '3E00'].map((data) => ask({ data }));
    await eventually(async () => (await record()).queued === 2);
    expect(await seen(1, before)).toHaveLength(1);
    const answers: Record<string, string> = {
      '0322F190': '0462F19001',
      '0322F18C': '0462F18C02',
      '023E00': '027E00',
    };
    for (const count of [1, 2, 3]) {
      const frames = await seen(count, before);
      await say(answers[frames.at(-1) ?? ''] ?? '');
    }
    const responses = (await Promise.all(asked)).map((answer) => accepted(answer, 200).response);
    expect(responses).toEqual(['62F19001', '62F18C02', '7E00']);
  });

  it('return text by the codec of a data identifier, from the command line too', async () => {
    const before = await bench.newest();
    const reading = bench.json('uds', 'read', 'engine', 'vin');
    expect(await seen(1, before)).toEqual(['0322F190']);
    await say('101462F190574241');
    expect(await seen(2, before)).toContain('300000');
    await say('2142555342415230', '2230303030303031');
    expect(await reading).toMatchObject({
      positive: true,
      result: { values: [{ did: 'F190', name: 'vin', value: 'WBABUSBAR00000001' }] },
    });
  });

  it('end a command with 1 after a negative response, which it prints', async () => {
    const before = await bench.newest();
    const running = bench.run(['uds', 'request', 'engine', '22F190', '--format=json']);
    await seen(1, before);
    await say('037F2231');
    const { code, stdout } = await running;
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ positive: false, nrc: 0x31 });
  });

  it('ignore an answer to an earlier request and a double one, and count both', async () => {
    const before = await bench.newest();
    const asked = ask({ data: '22F190' });
    await seen(1, before);
    await say('0462F18C02', '0462F19001', '0462F19001');
    expect(accepted(await asked, 200).response).toBe('62F19001');
    await eventually(async () => (await record()).counters.findings === 2);
  });

  it('survive an ECU that babbles', async () => {
    const frames = ['0000000000000000', 'FFFFFFFFFFFFFFFF', '2142555342415230', '300000'];
    const before = await bench.newest();
    const asked = ask({ data: '3E00' });
    await seen(1, before);
    await say(...frames, ...frames, '1FFF010203040506', '1008010203040506', '027E00');
    expect(accepted(await asked, 200).response).toBe('7E00');
  });

  it('fail when the channel closes in the middle of a request', async () => {
    const before = await bench.newest();
    const asked = ask({ data: '00'.repeat(100), protocol: 'isotp' });
    await seen(1, before);
    await say('300100');
    await seen(2, before);
    await bench.end(`channels/${encodeURIComponent(tester)}`);
    const answer = await asked;
    expect([answer.status, answer.json().error.code]).toEqual([502, 'hardware_error']);
    expect((await record()).state).toBe('waiting');
    await bench.open(tester);
    expect((await record()).state).toBe('open');
  });

  it('are refused as busy when 32 wait', async () => {
    // An ECU that may be silent for longer than the requests take to arrive.
    const link = { channel: tester, name: 'silent', request_id: '7E1', response_id: '7E9' };
    accepted(await bench.post(`${api}/diagnostics`, { ...link, p2_ms: 60_000 }), 201);
    const ask = () => bench.post(`${api}/diagnostics/silent/requests`, { data: '22F190' });
    const waiting = Array.from({ length: 33 }, ask);
    await eventually(async () => (await bench.status('diagnostics/silent')).queued === 32);
    expect((await ask()).json().error.code).toBe('busy');
    await bench.end('diagnostics/silent');
    for (const answer of await Promise.all(waiting)) expect(answer.status).not.toBe(200);
  });
});
