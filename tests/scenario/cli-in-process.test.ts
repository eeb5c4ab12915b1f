import { expect, it } from 'vitest';
import { runInProcess } from '../support/built-cli.ts';
import { setUpWorkbench } from '../support/workbench.ts';

it('ends and prints within a test process as in one of its own', async () => {
  const bench = setUpWorkbench();
  await bench.json('daemon', 'start');
  const where = { env: bench.environment, workingDirectory: bench.project };
  const lines = [
    ['device', 'list'],
    ['device', 'list', '--format=json'],
    ['channel', 'show', 'nowhere', '--format=json'],
    ['trace', 'info', 'absent.log'],
    ['channel', 'opne'],
    ['message', 'send', '--help'],
  ];
  for (const line of lines) {
    expect(await runInProcess(line, where), line.join(' ')).toEqual(await bench.run(line));
  }
});
