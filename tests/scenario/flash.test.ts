import { describe, expect, it } from 'vitest';
import { eventually } from '../support/workbench.ts';
import { runInBackground } from './support/background-command.ts';
import { shareTransmitBench } from './support/transmit-bench.ts';

const engine = {
  channel: 'SIM00001/0',
  ...{ request_id: '7E0', response_id: '7E8', functional_id: '7DF' },
  // Longer than the pauses of a busy machine.
  ...{ p2_ms: 20_000, p2_star_ms: 20_000 },
  ...{ n_as_ms: 20_000, n_bs_ms: 20_000, n_cr_ms: 20_000 },
};
const model = {
  sessions: { '2': { p2_ms: 20_000, p2_star_ms: 20_000, s3_ms: 600_000 } },
  security: { '1': { seed: 'DEADBEEF', key: 'CAFEBABE' } },
  routines: { FF00: { duration_ms: 100 } },
  memory: { address: 0x0800_0000, size: 65_536, sessions: [2], security: 1 },
};
const unlocking: readonly [object, object] = [
  { step: 'session', session: 'programming' },
  { step: 'security', level: 1, key: 'CAFEBABE' },
];
const download = { step: 'download' };
const erase = { step: 'routine', name: 'erase', routine: 'FF00' };
const application = [
  ':020000040800F2',
  ':1000000000112233445566778899AABBCCDDEEFFF8',
  ':00000001FF',
];

const bench = shareTransmitBench(async (own) => {
  own.write('busbar.bench.json', JSON.stringify({ ecus: { engine } }));
  own.write('engine.json', JSON.stringify(model));
  own.write('app.hex', application.join('\n'));
  own.write('steps.json', sequence(...unlocking, erase, download));
  for (const port of [0, 1]) await own.open(`SIM00001/${port}`);
  await own.create('simulated-ecus', { channel: 'SIM00001/1', file: 'engine.json', ecu: 'engine' });
});

const sequence = (...steps: object[]): string => JSON.stringify({ name: 'application', steps });

const flash = (image: string, steps: string): readonly string[] => [
  ...['uds', 'flash', 'engine', image],
  `--sequence=${steps}`,
];

const newestJob = async () => (await bench.status('jobs')).jobs[0];

const isWaiting = async (): Promise<boolean> => {
  const { state, progress } = await newestJob();
  return state === 'running' && progress?.name === 'wait';
};

const memory = async (address: string, size: number): Promise<string> => {
  await bench.json('uds', 'session', 'engine', 'programming');
  await bench.json('uds', 'security', 'engine', '1', '--key=CAFEBABE');
  const read = await bench.json<{ result: { data: string } }>(
    ...['uds', 'memory-read', 'engine', address, `${size}`],
  );
  return read.result.data;
};

describe('busbar uds flash', () => {
  it('waits for the job and prints its report', async () => {
    const { code, stdout, stderr } = await bench.run(flash('app.hex', 'steps.json'));
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^file +app\.hex$/m);
    expect(stdout).toMatch(/^bytes +16$/m);
    expect(stdout).toMatch(/erase +1 /);
    expect(await memory('0x08000000', 16)).toBe('00112233445566778899AABBCCDDEEFF');
  });

  it('prints the job as JSON', async () => {
    expect(await bench.json(...flash('app.hex', 'steps.json'))).toMatchObject({
      kind: 'flash',
      target: 'engine',
      state: 'succeeded',
      result: { bytes: 16, steps: [{ name: 'session' }, {}, { name: 'erase' }, {}] },
      error: null,
    });
  });

  it('fails with what the ECU refused, and the step', async () => {
    bench.write(
      'wrong.json',
      sequence(unlocking[0], { ...unlocking[1], key: '00000000' }, download),
    );
    expect(await bench.failure(...flash('app.hex', 'wrong.json'))).toMatchObject({
      exit: 1,
      code: 'unexpected_response',
      details: { nrc: 0x35 },
    });
    expect(await newestJob()).toMatchObject({ state: 'failed', progress: { name: 'security' } });
  });

  it.each([
    [1, ':1000000000112233445566778899AABBCCDDEEFFF9', 'Line 2, '],
    [1, ':10000000001122334455', 'Line 2, '],
    [1, ':10000000zz112233445566778899AABBCCDDEEFFF8', 'Line 2, '],
    [1, `${application[1]}\n${application[1]}`, 'Line 3, '],
    [2, '', 'the end record is missing'],
    [2, ':00000001FF\n:00000001FF', 'Line 4, '],
  ])('refuses a HEX file with line %i replaced by %s', async (line, text, words) => {
    const lines = [...application];
    lines[line] = text;
    bench.write('bad.hex', lines.join('\n'));
    const before = await bench.status('diagnostics/engine');
    const refused = await bench.failure(...flash('bad.hex', 'steps.json'));
    expect(refused.code).toBe('invalid_diagnostics_file');
    expect(refused.message).toContain(words);
    // Nothing was sent.
    expect((await bench.status('diagnostics/engine')).counters.sent).toBe(before.counters.sent);
  });

  it('cancels the job when it is interrupted', async () => {
    bench.write('slow.json', sequence(...unlocking, { step: 'wait', ms: 600_000 }, download));
    const command = runInBackground(bench, ...flash('app.hex', 'slow.json'), '--format=json');
    await eventually(isWaiting);
    command.kill('SIGINT');
    expect(await command.ended).toEqual({ code: 1, signal: null });
    expect(JSON.parse(command.stderr).error.code).toBe('operation_cancelled');
    expect(await newestJob()).toMatchObject({ state: 'cancelled' });
    expect(await bench.json('uds', 'request', 'engine', '3E00')).toMatchObject({ positive: true });
  });

  it('leaves the job to the daemon when it is killed', async () => {
    bench.write('slow.json', sequence(...unlocking, { step: 'wait', ms: 600_000 }, download));
    const command = runInBackground(bench, ...flash('app.hex', 'slow.json'));
    await eventually(isWaiting);
    command.kill('SIGKILL');
    await command.ended;
    const { job_id, state } = await newestJob();
    expect(state).toBe('running');
    expect(await bench.end(`jobs/${job_id}`)).toMatchObject({ state: 'cancelled' });
  });
});

describe('busbar uds read', () => {
  it('prints one value alone, and several with their names', async () => {
    const dids = { F190: { name: 'vin', length: 17, codec: 'ascii' }, '0101': { length: 1 } };
    const ids = { request_id: 0x7e1, response_id: 0x7e9, p2_ms: 20_000 };
    await bench.create('diagnostics', { name: 'spare', channel: 'SIM00001/0', ...ids, dids });
    bench.write('spare.json', '{"dids":{"F190":{"text":"WBABUSBAR00000001"},"0101":{"hex":"5A"}}}');
    const served = await bench.create('simulated-ecus', {
      ...{ channel: 'SIM00001/1', file: 'spare.json' },
      ...ids,
    });
    const read = async (...names: string[]) => bench.run(['uds', 'read', 'spare', ...names]);
    expect(await read('vin')).toEqual({ code: 0, stdout: 'WBABUSBAR00000001\n', stderr: '' });
    expect((await read('0101')).stdout).toBe('5A\n');
    expect((await read('vin', '0101')).stdout).toBe('vin   WBABUSBAR00000001\n0101  5A\n');
    const refused = await read('0999');
    expect(refused.code).toBe(1);
    expect(refused.stdout).toMatch(/^nrc name +request out of range$/m);
    await bench.end(`simulated-ecus/${served.ecu_id}`);
    await bench.end('diagnostics/spare');
  });
});
