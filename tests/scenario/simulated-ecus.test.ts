import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { writeBench } from './support/bench-files.ts';
import { refusedByCli } from './support/channel-bench.ts';
import { type Answered, accepted, shareTransmitBench } from './support/transmit-bench.ts';

/** A table with diagnostic slots. */
const doors = `LIN_description_file;
LIN_protocol_version = "2.2";
LIN_language_version = "2.2";
LIN_speed = 19.2 kbps;
Nodes { Master: Body, 5 ms, 0.1 ms; Slaves: Door; }
Signals { Speed: 8, 0, Body, Door; }
Frames { Command: 1, Body, 1 { Speed, 0; } }
Node_attributes { Door { LIN_protocol = "2.2"; configured_NAD = 10; product_id = 1, 2; } }
Schedule_tables {
  Diagnostic { Command delay 10 ms; MasterReq delay 10 ms; SlaveResp delay 10 ms; }
  Normal { Command delay 10 ms; }
}
`;

const slow = { p2_ms: 2000, p2_star_ms: 2000 };
const ecus = {
  engine: {
    ...{ channel: 'SIM00001/0', request_id: 2016, response_id: 2024, functional_id: 2015 },
    ...slow,
    dids: { F190: { name: 'vin', length: 17, codec: 'ascii' } },
  },
  gearbox: { channel: 'SIM00001/0', request_id: 2017, response_id: 2025, ...slow },
  door: { channel: 'SIM00001/4', nad: 10, ...slow },
};

const example = readFileSync(new URL('../../examples/ecu.json', import.meta.url), 'utf8');
const vin = '62F1905742414255534241523030303030303031';

const bench = shareTransmitBench(async (own) => {
  writeBench(own.project, { ecus });
  own.write('ecu.json', example);
  own.write('doors.ldf', doors);
  for (const port of [0, 1, 4, 5]) await own.open(`SIM00001/${port}`);
  await own.create('databases', { file: 'doors.ldf' });
  await own.json('database', 'attach', 'doors', '--channel=SIM00001/4');
});

const serve = (ecu: string, file: string, channel: string) =>
  bench.json<Answered>('ecu', 'serve', `--file=${file}`, `--channel=${channel}`, `--ecu=${ecu}`);

/** An ECU that ends with the work. */
const withEcu = async (
  ecu: string,
  model: object | string,
  work: () => Promise<void>,
  channel = 'SIM00001/1',
): Promise<void> => {
  const file = `${ecu}.json`;
  bench.write(file, typeof model === 'string' ? model : JSON.stringify(model));
  const { ecu_id } = await serve(ecu, file, channel);
  try {
    await work();
  } finally {
    await bench.json('ecu', 'stop', ecu_id);
  }
};

const ask = async (ecu: string, data: string): Promise<Answered> => {
  const answer = await bench.post(`/api/v1/diagnostics/${ecu}/requests`, { data });
  return answer.json();
};

describe('a simulated ECU', () => {
  it('answers over HTTP and the command line, is listed with its counters, and stops', async () => {
    await withEcu('engine', example, async () => {
      expect(await ask('engine', '22F190')).toMatchObject({ response: vin, positive: true });
      const asked = await bench.json<Answered>('uds', 'request', 'engine', '190209');
      expect(asked).toMatchObject({ response: '5902AF0123452FC1000008' });
      const { simulated_ecus } = await bench.status('simulated-ecus');
      expect(simulated_ecus).toMatchObject([
        {
          ecu: 'engine',
          channel: 'SIM00001/1',
          file: 'engine.json',
          settings: { request_id: 2016, response_id: 2024 },
          session: 1,
          counters: { requests: 2, responses: 2, negative: 0, abandoned: 0 },
          faults: [],
        },
      ]);
    });
    expect(await bench.status('simulated-ecus')).toEqual({ simulated_ecus: [] });
    expect((await ask('engine', '3E00')).error.code).toBe('no_response');
  });

  it('is started over HTTP with identifiers of its own', async () => {
    const request = { channel: 'SIM00001/1', file: 'ecu.json' };
    const ids = { request_id: '7E0', response_id: '7E8' };
    const { ecu_id, ecu } = await bench.create('simulated-ecus', { ...request, ...ids });
    expect(ecu).toBeNull();
    expect(await ask('engine', '22F190')).toMatchObject({ response: vin });
    const twice = await bench.post('/api/v1/simulated-ecus', { ...request, ecu: 'engine' });
    expect([twice.status, twice.json().error.code]).toEqual([409, 'already_exists']);
    await bench.end(`simulated-ecus/${ecu_id}`);
  });

  it('downloads in its programming session, once it is unlocked', async () => {
    // The session outlasts the pauses of a busy machine.
    const sessions = { '2': { s3_ms: 600_000 } };
    await withEcu('engine', { ...JSON.parse(example), sessions }, async () => {
      const download = '34004408000000'.concat('00000010');
      expect(await ask('engine', download)).toMatchObject({ positive: false, nrc: 0x7f });
      expect(await ask('engine', '1002')).toMatchObject({ positive: true });
      expect(await ask('engine', download)).toMatchObject({ nrc: 0x33 });
      expect(await ask('engine', '2701')).toMatchObject({ response: '6701DEADBEEF' });
      expect(await ask('engine', '2702CAFEBABE')).toMatchObject({ response: '6702' });
      expect(await ask('engine', download)).toMatchObject({ response: '74200FA2' });
      expect(await ask('engine', `3601${'AB'.repeat(16)}`)).toMatchObject({ response: '7601' });
      expect(await ask('engine', '37')).toMatchObject({ response: '77' });
      expect(await bench.status('diagnostics/engine')).toMatchObject({
        ...{ state: 'open', session: 2, security_level: 1 },
      });
      expect(await ask('engine', '1101')).toMatchObject({ response: '5101' });
      const { simulated_ecus } = await bench.status('simulated-ecus');
      expect(simulated_ecus).toMatchObject([{ session: 1, security_level: 0 }]);
    });
  });

  it.each([
    [{ kind: 'silent' }, 504, 'no_response'],
    [{ kind: 'silent_after_pending' }, 504, 'response_pending_timeout'],
    [{ kind: 'drop', frame: 2 }, 502, 'sequence_error'],
    [{ kind: 'drop', frame: 3 }, 504, 'consecutive_frame_timeout'],
    [{ kind: 'sequence', frame: 2 }, 502, 'sequence_error'],
  ])('shows the fault %o as %i %s', async (fault, status, code) => {
    const model = { ...JSON.parse(example), faults: [{ ...fault, count: 1 }] };
    await withEcu('engine', model, async () => {
      const data = { data: '22F190' };
      const answer = await bench.post('/api/v1/diagnostics/engine/requests', data);
      expect([answer.status, answer.json().error.code]).toEqual([status, code]);
      expect(await ask('engine', '22F190')).toMatchObject({ response: vin });
    });
  });

  it('is flashed, and has the image in its memory', async () => {
    await withEcu('engine', example, async () => {
      const image = Uint8Array.from({ length: 5000 }, (_, i) => i % 251);
      bench.write('app.bin', image);
      const steps = [
        { step: 'session', session: 'programming' },
        { step: 'security', level: 1, key: 'CAFEBABE' },
        { step: 'download' },
      ];
      bench.write('steps.json', JSON.stringify({ steps }));
      const { job_id } = await bench.json<Answered>(
        ...['uds', 'flash', 'engine', 'app.bin', '--address=0x08000100', '--sequence=steps.json'],
      );
      const job = await bench.until(
        `jobs/${job_id}`,
        ({ state }) => state !== 'queued' && state !== 'running',
      );
      expect(job).toMatchObject({ state: 'succeeded', progress: { bytes: 5000 } });
      const read = await bench.json<Answered>(...['uds', 'request', 'engine', '231408000480FA']);
      const expected = Buffer.from(image.subarray(0x380, 0x380 + 0xfa)).toString('hex');
      expect(read).toMatchObject({ response: `63${expected.toUpperCase()}` });
    });
  });

  it('answers at the same time as another one on its bus', async () => {
    await withEcu('engine', example, () =>
      withEcu('gearbox', { dids: { F190: { text: 'G'.repeat(200) } } }, async () => {
        const rounds = Array.from({ length: 10 }, () => ['engine', 'gearbox']).flat();
        const answers = await Promise.all(rounds.map((ecu) => ask(ecu, '22F190')));
        const other = `62F190${'47'.repeat(200)}`;
        expect(answers.map(({ response }) => response)).toEqual(
          rounds.map((ecu) => (ecu === 'engine' ? vin : other)),
        );
      }),
    );
  });

  it('answers on LIN in the diagnostic slots of a running schedule', async () => {
    await withEcu(
      'door',
      example,
      async () => {
        expect((await ask('door', '3E00')).error.code).toBe('busy');
        await bench.json('lin', 'schedule', 'start', 'SIM00001/4', '--table=Normal');
        expect((await ask('door', '3E00')).error).toMatchObject({
          code: 'busy',
          details: { reason: 'no_diagnostic_slots' },
        });
        await bench.json('lin', 'schedule', 'switch', 'SIM00001/4', '--table=Diagnostic');
        expect(await ask('door', '22F190')).toMatchObject({ response: vin });
        expect(await ask('door', '310102030A')).toMatchObject({ response: '71010203FF' });
        const shown = await bench.status('diagnostics/door');
        expect(shown).toMatchObject({ settings: { nad: 10 }, counters: { findings: 0 } });
        await bench.json('lin', 'schedule', 'stop', 'SIM00001/4');
      },
      'SIM00001/5',
    );
  });

  it('ends with its channel', async () => {
    await serve('engine', 'ecu.json', 'SIM00001/1');
    accepted(await bench.remove('SIM00001/1'), 200);
    expect(await bench.status('simulated-ecus')).toEqual({ simulated_ecus: [] });
    await bench.open('SIM00001/1');
  });

  it.each([
    ['a file that is no JSON', '{\n  "dids": [\n}', /line 3/],
    ['a wrong field', '{ "dids": { "F190": { "txt": "x" } } }', /dids\.F190/],
    ['a wrong identifier', '{ "dids": { "VIN": { "text": "x" } } }', /dids\.VIN/],
  ])('is refused with %s', async (_, text, said) => {
    bench.write('bad.json', text);
    const refused = await bench.failure(
      ...['ecu', 'serve', '--file=bad.json', '--channel=SIM00001/1', '--ecu=engine'],
    );
    expect(refusedByCli(refused)).toMatchObject({ code: 'invalid_diagnostics_file' });
    expect(JSON.stringify(refused)).toMatch(said);
  });

  it.each([
    ['file_not_found', '--file=none.json', '--channel=SIM00001/1', '--ecu=engine'],
    ['path_outside_project', '--file=/etc/passwd', '--channel=SIM00001/1', '--ecu=engine'],
    ['ecu_not_found', '--file=ecu.json', '--channel=SIM00001/1', '--ecu=motor'],
    ['channel_not_open', '--file=ecu.json', '--channel=SIM00001/3', '--ecu=engine'],
    ['invalid_argument', '--file=ecu.json', '--channel=SIM00001/5', '--ecu=engine'],
    ['invalid_argument', '--file=ecu.json', '--channel=SIM00001/4', '--nad=0B'],
  ])('is refused with %s: %s %s %s', async (code, ...words) => {
    expect((await bench.failure('ecu', 'serve', ...words)).code).toBe(code);
  });
});
