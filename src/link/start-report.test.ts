import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { encodeLine } from './protocol.ts';
import { type StartReport, starterFd } from './start-report.ts';

it('crosses the pipe that a starter opens, one line for each outcome', async () => {
  const reports: StartReport[] = [
    { ready: { pid: 7 } },
    { error: new BusbarError('already_running', { details: { pid: 7 } }).toRecord() },
  ];
  const lines = reports.map(encodeLine).join('');
  const script = `require('node:fs').writeSync(${starterFd}, ${JSON.stringify(lines)})`;
  const child = spawn(process.execPath, ['-e', script], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  let text = '';
  for await (const chunk of child.stdio[starterFd] as Readable) text += chunk;
  const received = text.trimEnd().split('\n');
  expect(received.map((line) => JSON.parse(line))).toEqual(reports);
});

it('does not use a descriptor that every process has already', () => {
  expect(starterFd).toBeGreaterThan(2);
});
