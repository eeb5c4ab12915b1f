import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { EventText } from '../../src/cli/render/event-text.ts';
import { sampleRecord } from '../../src/cli/testing/sample-events.ts';
import { eventStatus } from '../../src/drivers/event-status.ts';
import { frameFlag } from '../../src/frame/frm2-layout.ts';
import { hasPeer } from '../support/peers.ts';
import { busbar, endOf, type Finished, repository, Workbench } from '../support/workbench.ts';

const python = '/usr/bin/python3';
const client = join(repository, 'clients', 'python');
const available =
  hasPeer(python, 'python3') &&
  hasPeer('/usr/lib/python3/dist-packages/pytest/__init__.py', 'python3-pytest') &&
  hasPeer('/usr/lib/python3/dist-packages/can/__init__.py', 'python3-can');

const bench = new Workbench();
beforeAll(async () => {
  if (available) await bench.startWeb();
});
afterAll(() => bench.dispose());

const runPython = (cwd: string, ...args: string[]): Promise<Finished> =>
  endOf(
    spawn(python, args, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...bench.environment,
        PATH: `${dirname(busbar)}${delimiter}${process.env.PATH}`,
        BUSBAR_PROGRAM: busbar,
        PYTHONPATH: client,
        PYTHONDONTWRITEBYTECODE: '1',
        NO_COLOR: '1',
      },
    }),
  );

const runTests = (cwd: string, ...args: string[]): Promise<Finished> =>
  runPython(cwd, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', ...args);

/** Programs of the guides, each with the output shown after it. */
const examples = ['python', 'python-tests', 'coming-from', 'rest-bus'].flatMap((guide) =>
  [
    ...readFileSync(join(repository, 'docs', 'guides', `${guide}.md`), 'utf8').matchAll(
      /```python\n(.*?)```\n(?:\n```text\n(.*?)```)?/gs,
    ),
  ].map(([, program = '', output]) => ({ guide, program, output })),
);
const scripts = examples.filter(({ output }) => output !== undefined);
const tests = examples.filter(({ program }) => program.includes('def test_'));

/** Packages required by the other side of an example. */
const isInstalled = (program: string): boolean =>
  ['can', 'cantools']
    .filter((name) => program.includes(`import ${name}\n`))
    .every((name) => spawnSync(python, ['-c', `import ${name}`]).status === 0);

const runnable = scripts.filter(({ program }) => available && isInstalled(program));
if (runnable.length < scripts.length) console.log('Skipped: examples whose packages are missing');

/** Reads records in hex, one per line, and prints each. */
const printRecords = `
import sys
from busbar import Frame
for line in sys.argv[1].splitlines():
    print(Frame.from_bytes(bytes.fromhex(line)))
`;

import { itOnce as it, itLong } from '../../src/base/testing/long.ts';

/** A line from the direction on, with single spaces: only one of the two has aligned columns. */
const wordsOf = (line: string): string => line.slice(line.indexOf('  RX  ')).replace(/\s+/g, ' ');

describe.skipIf(!available)('the Python client', () => {
  it('tells events in the words of the command line', async () => {
    const records = [
      ...Object.values(eventStatus).map((status) => sampleRecord({ status })),
      ...Object.values(frameFlag).map((flags) => sampleRecord({ flags })),
      ...Object.values(frameFlag).map((flags) => sampleRecord({ bus: 'lin', id: 0x2c, flags })),
      sampleRecord({ flags: frameFlag.remote | frameFlag.extended, dlc: 12 }),
      sampleRecord({
        flags: frameFlag.error,
        dlc: 2,
        data: Uint8Array.of(1, 2, 0, 0, 1, 0),
        status: 1,
      }),
      sampleRecord({
        flags: frameFlag.error,
        dlc: 2,
        data: Uint8Array.of(1, 2, 0, 0, 0, 0),
        status: 3,
      }),
      sampleRecord({ dlc: 0, data: new Uint8Array(0), status: 99 }),
    ];
    const lines = records.map((record) => Buffer.from(record).toString('hex')).join('\n');
    const { stdout, stderr } = await runPython(bench.project, '-c', printRecords, lines);
    expect(stderr).toBe('');
    const own = new EventText().render(Buffer.concat(records));
    expect(stdout.split('\n').map(wordsOf)).toEqual(own.split('\n').map(wordsOf));
  });

  itLong('passes its own tests against the daemon', async () => {
    const { code, stdout, stderr } = await runTests(client, 'tests');
    expect(code, stdout + stderr).toBe(0);
  });

  it.each(runnable)('runs what $guide shows: $program', async ({ program, output }) => {
    const { stdout, stderr } = await runPython(bench.project, '-c', program);
    expect({ stdout, stderr }).toEqual({ stdout: output, stderr: '' });
  });

  itLong('passes the tests of the guides on the demonstration vehicle', async () => {
    expect(examples).toHaveLength(scripts.length + tests.length);
    for (const [at, { program }] of tests.entries()) {
      writeFileSync(join(bench.project, `test_example_${at}.py`), program);
    }
    const { code, stdout, stderr } = await runTests(
      bench.project,
      '-p',
      'busbar.pytest_plugin',
      '.',
    );
    expect(code, stdout + stderr).toBe(0);
  });
});
