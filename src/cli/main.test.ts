import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { product } from '../base/product.ts';
import { writeWebMemory } from '../link/web-memory.ts';
import { operations } from '../operations/registry.ts';
import { CliBench } from './testing/cli-bench.ts';
import { Paper } from './testing/paper.ts';

describe('runCli', () => {
  let bench: CliBench;
  let folder: string;
  let home: string;

  beforeEach(() => {
    bench = new CliBench(operations);
    ({ folder, home } = bench);
  });

  afterEach(() => bench.close());

  const run = async (...argv: string[]) => {
    bench.stdout = new Paper();
    bench.stderr = new Paper();
    const code = await bench.run(...argv);
    return { code, stdout: bench.stdout.text, stderr: bench.stderr.text };
  };

  it('prints a result in the format that was asked for and ends with 0', async () => {
    const record = {
      product: 'Busbar',
      version: product.version,
      commit: null,
      committed_at_us: null,
      contract: product.contract,
      api: 'v1',
    };
    const { code, stdout, stderr } = await run('version', '--format=json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual(record);
    expect((await run('version')).stdout).toContain('product       Busbar\n');
    expect((await run('version', '--format=jsonl')).stdout).toBe(`${JSON.stringify(record)}\n`);
    expect((await run('version', '--format=csv')).stdout).toContain('product,Busbar\n');
  });

  it('sends nobody to the log of a daemon for a defect of the command itself', async () => {
    bench.descriptions = () => Promise.reject(new Error('a defect'));
    const { code, stderr } = await run('help', 'web', 'start');
    expect(code).toBe(1);
    expect(stderr).toContain('internal_error');
    expect(stderr).toContain('hint: Run with BUSBAR_DEBUG=1');
  });

  it.each([[[]], [['help']], [['--help']]])('prints the overview for %j', async (argv) => {
    const { code, stdout } = await run(...argv);
    expect(code).toBe(0);
    expect(stdout).toContain('busbar web start');
  });

  it('prints the contract of a command for people and for programs', async () => {
    const text = await run('help', 'web', 'start');
    expect(text.code).toBe(0);
    expect(text.stdout).toMatch(/Usage\n {2}busbar web start /);
    const one = JSON.parse((await run('help', 'web', 'start', '--format=json')).stdout);
    expect(one).toMatchObject({ id: 'web.start', permission: 'administer' });
    const category = JSON.parse((await run('help', 'web', '--format=json')).stdout);
    expect(category.operations.map(({ id }: { id: string }) => id)).toEqual([
      'web.start',
      'web.status',
      'web.stop',
    ]);
  });

  it.each([
    ['a wrong command line', ['nonsense'], 2, 'unknown_command'],
    ['a wrong option', ['version', '--nonsense'], 2, 'invalid_argument'],
    ['no daemon to ask', ['info'], 3, 'daemon_unreachable'],
  ])('ends on %s with its exit code, saying why on stderr only', async (_, argv, exit, error) => {
    const { code, stdout, stderr } = await run(...argv);
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^busbar: ${error}: .+\\n( {2}hint: .+\\n)?$`));
  });

  it.each([
    'info --format=json',
    '--format=json info',
    'info --format json',
    'nonsense --format=json',
    'version --nonsense --format=json',
  ])('reports a failure in the format that was asked for: %s', async (line) => {
    const { stderr } = await run(...line.split(' '));
    expect(JSON.parse(stderr).error).toMatchObject({
      code: expect.any(String),
      message: expect.any(String),
      details: expect.any(Object),
      retryable: expect.any(Boolean),
    });
  });

  it.each(['status', 'stop'])('answers web %s without a daemon from memory', async (action) => {
    writeWebMemory(join(home, 'web.json'), {
      configuredListen: '127.0.0.1:9',
      logLevel: 'debug',
      logDestination: 'stderr',
    });
    const { code, stdout } = await run('web', action, '--format=json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      state: 'stopped',
      configured_listen: '127.0.0.1:9',
      log_level: 'debug',
    });
  });

  it.each(['status', 'stop'])('answers daemon %s without a daemon', async (action) => {
    const { code, stdout } = await run('daemon', action, '--format=json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'stopped', home, pid: null });
  });

  it.each(['absent', 'file'])('refuses a project that is no directory: %s', async (name) => {
    writeFileSync(join(folder, 'file'), '');
    const { code, stderr } = await run('version', `--project=${name}`, '--format=json');
    expect(code).toBe(2);
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'invalid_argument',
      message: `--project is not a directory: ${join(folder, name)}`,
      details: { field: 'project' },
    });
  });

  describe('the project of a call', () => {
    const projectOf = async (...argv: string[]) => {
      const job = { job_id: 'j', state: 'queued' };
      const daemon = await bench.serve((call) => void call.reply({ result: job }));
      const { code, stdout } = await run('job', 'show', 'j', '--format=jsonl', ...argv);
      expect({ code, stdout }).toEqual({ code: 0, stdout: `${JSON.stringify(job)}\n` });
      expect(daemon.requests).toHaveLength(1);
      expect(daemon.requests[0]).toMatchObject({
        id: 0,
        operation: 'job.show',
        arguments: { job_id: 'j' },
      });
      return daemon.requests[0]?.project;
    };

    beforeEach(() => mkdirSync(join(folder, 'bench')));

    it('is the one that was chosen', async () => {
      writeFileSync(join(folder, 'busbar.bench.json'), '{}');
      expect(await projectOf('--project=bench')).toBe(join(folder, 'bench'));
    });

    it('is else the directory that the caller stands in, where that has a bench', async () => {
      writeFileSync(join(folder, 'busbar.bench.json'), '{}');
      expect(await projectOf()).toBe(folder);
    });

    it('is else none', async () => {
      writeFileSync(join(folder, 'bench', 'busbar.bench.json'), '{}');
      expect(await projectOf()).toBeNull();
    });
  });
});
