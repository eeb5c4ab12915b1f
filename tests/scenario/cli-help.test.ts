import { describe, expect, it } from 'vitest';
import { ask } from '../support/http.ts';
import { setUpWorkbench } from '../support/workbench.ts';
import { daemonsOf } from './support/processes.ts';

interface Operation {
  readonly id: string;
  readonly cli: { readonly usage: string; readonly examples: readonly string[] };
  readonly parameters: readonly { readonly cli: string; readonly description: string }[];
  readonly errors: readonly { readonly code: string; readonly exit: number }[];
}

/** Wide enough to wrap nothing. */
const wide = { env: { COLUMNS: '2000' } };

describe('help', () => {
  it('lists every command with what it does, also for an empty line', async () => {
    const bench = setUpWorkbench();
    const { operations } = await bench.json<{ operations: Operation[] }>('help');
    const help = await bench.run(['help'], wide);
    expect([help.code, help.stderr]).toEqual([0, '']);
    for (const { id } of operations) {
      const [category, action = ''] = id.split('.');
      const spellings = [action, action.replaceAll('-', ' ')];
      const lines = spellings.map((words) => `busbar ${`${category} ${words}`.trim()} `);
      expect(lines.filter((line) => help.stdout.includes(line))).not.toEqual([]);
    }
    expect(await bench.run([], wide)).toEqual(help);
    expect(await bench.run(['--help'], wide)).toEqual(help);
    expect(await bench.run(['-h'], wide)).toEqual(help);
    expect(daemonsOf(bench.home)).toEqual([]);
  });

  it('explains a category by all of its commands', async () => {
    const bench = setUpWorkbench();
    const help = await bench.run(['help', 'web']);
    expect(help.code).toBe(0);
    for (const action of ['start', 'status', 'stop']) {
      expect(help.stdout).toContain(`\n  busbar web ${action}`);
    }
    expect(help.stdout).not.toContain('busbar daemon');
    expect(await bench.run(['web', '--help'])).toEqual(help);
  });

  it('explains one command with its options, examples and errors', async () => {
    const bench = setUpWorkbench();
    const help = await bench.run(['help', 'web', 'start'], wide);
    expect([help.code, help.stderr]).toEqual([0, '']);
    const operation = await bench.json<Operation>('help', 'web', 'start');
    expect(help.stdout).toContain(operation.cli.usage);
    for (const example of operation.cli.examples) expect(help.stdout).toContain(example);
    for (const { cli, description } of operation.parameters) {
      expect(help.stdout).toContain(cli);
      expect(help.stdout).toContain(description);
    }
    for (const { code, exit } of operation.errors) {
      expect(help.stdout).toContain(`${code} (exit ${exit})`);
    }
    expect(help.stdout).toContain('(default 127.0.0.1:8080)');
    expect(help.stdout).toContain('(1 to 1048576; default 8192)');
    for (const words of [
      ['web', 'start', '--help'],
      ['web', 'start', '-h'],
      ['--help', 'web', 'start'],
      ['web', '--help', 'start'],
      ['web', 'start', '--listen=127.0.0.1:0', '--help'],
    ]) {
      expect([words, await bench.run(words, wide)]).toEqual([words, help]);
    }
    expect(daemonsOf(bench.home)).toEqual([]);
  });

  it('tells programs the very contract that the daemon and the API tell', async () => {
    const bench = setUpWorkbench();
    const { port } = await bench.startWeb();
    const help = await bench.json('help', 'web', 'start');
    expect(help).toMatchObject({ id: 'web.start', category: 'web', action: 'start' });
    expect(await bench.json('operation', 'show', 'web.start')).toEqual(help);
    const answer = await ask({ port, path: '/api/v1/operations/web.start' });
    expect([answer.status, answer.json()]).toEqual([200, help]);

    const all = await bench.json('help');
    expect(await bench.json('operation', 'list')).toEqual(all);
    expect((await ask({ port, path: '/api/v1/operations' })).json()).toEqual(all);
  });

  it('refuses what there is no help for', async () => {
    const bench = setUpWorkbench();
    expect(await bench.failure('help', 'quetzalcoatl')).toMatchObject({
      exit: 2,
      code: 'unknown_command',
      details: { command: 'quetzalcoatl', suggestion: null },
    });
    expect(await bench.failure('help', 'web', 'strat')).toMatchObject({
      exit: 2,
      code: 'unknown_command',
      details: { command: 'web strat', suggestion: 'web start' },
    });
    expect(await bench.failure('help', 'web', 'start', 'now')).toMatchObject({
      exit: 2,
      code: 'unknown_command',
    });
    expect(await bench.failure('help', 'signal', 'plan', 'create', 'now')).toMatchObject({
      exit: 2,
      code: 'invalid_argument',
    });
  });
});
