import { describe, expect, it } from 'vitest';
import { setUpWorkbench } from '../support/workbench.ts';
import { daemonsOf } from './support/processes.ts';
import { neverStarted } from './support/web-records.ts';

interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly schema: { readonly default?: unknown };
}

/** Option, the error, and values with that error. */
const wrongValues: readonly [option: string, field: string, values: readonly string[]][] = [
  ['--log-level', 'log_level', ['INFO', 'Debug', 'warn', 'info ', '']],
  [
    '--history-capacity',
    'history_capacity',
    ['0', '-1', '1048577', '99999999999999999999', '1e3', '8.5', '0x10', '8k', 'all', ''],
  ],
  ['--token', 'token', ['', 'two words', 'tab\tbed', 'schlüssel', 'x'.repeat(513)]],
  [
    '--listen',
    'listen',
    [
      '127.0.0.1',
      ':8080',
      '127.0.0.1:',
      '127.0.0.1:65536',
      '127.0.0.1:-1',
      '127.0.0.1:http',
      '127.0.0.1:80:80',
      '::1:0',
      '[::1]',
      'http://127.0.0.1:0',
      '127.0.0.1:0/',
      '',
    ],
  ],
  ['--web-root', 'web_root', ['']],
  ['--log-file', 'log_file', ['']],
];

describe('the options of web start', () => {
  it('are all optional, and help tells what stands in for them', async () => {
    const bench = setUpWorkbench();
    const { parameters } = await bench.json<{ parameters: Parameter[] }>('help', 'web', 'start');
    expect(
      Object.fromEntries(parameters.map(({ name, schema }) => [name, schema.default ?? null])),
    ).toEqual({
      listen: '127.0.0.1:8080',
      web_root: null,
      token: null,
      token_file: null,
      allow_insecure_http: false,
      history_capacity: 8192,
      log_level: 'info',
      log_file: null,
    });
    expect(parameters.filter(({ required }) => required)).toEqual([]);
  });

  it('are refused where their values are wrong, which changes nothing', async () => {
    const bench = setUpWorkbench();
    await bench.json('daemon', 'start');
    for (const [option, field, values] of wrongValues) {
      const failures = await Promise.all(
        values.map((value) => bench.failure('web', 'start', `${option}=${value}`)),
      );
      expect(
        failures.map(({ exit, code, details }, index) => [
          option,
          values[index],
          exit,
          code,
          details.field,
        ]),
      ).toEqual(values.map((value) => [option, value, 2, 'invalid_argument', field]));
    }
    expect(await bench.json('web', 'status')).toEqual(neverStarted);
  });

  it('start no daemon for a command line that is wrong', async () => {
    const bench = setUpWorkbench();
    for (const option of [
      '--log-level=INFO',
      '--history-capacity=0',
      '--token=two words',
      '--listen=127.0.0.1',
      '--listen=127.0.0.1:65536',
    ]) {
      expect(await bench.failure('web', 'start', option)).toMatchObject({ exit: 2 });
      expect([option, ...daemonsOf(bench.home)]).toEqual([option]);
    }
  });

  it('keep a wrong token to themselves', async () => {
    const bench = setUpWorkbench();
    const { stdout, stderr } = await bench.run(['web', 'start', '--token=my secret words']);
    expect(stdout + stderr + bench.log).not.toContain('my secret words');
  });

  it('take a history of either end of the range', async () => {
    const bench = setUpWorkbench();
    for (const capacity of [1, 1_048_576]) {
      await bench.startWeb(`--history-capacity=${capacity}`);
      expect(await bench.json('web', 'status')).toMatchObject({ history_capacity: capacity });
      expect(await bench.json('capabilities')).toMatchObject({
        limits: { history_capacity: capacity },
      });
      await bench.json('web', 'stop');
    }
  });
});
