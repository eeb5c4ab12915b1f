import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { encodeLine } from './protocol.ts';
import { type StartReport, starterFd } from './start-report.ts';

const reports: StartReport[] = [
  { ready: { pid: 7 } },
  { error: new BusbarError('already_running', { details: { pid: 7 } }).toRecord() },
];

it.each(reports)('a report crosses the pipe that a starter opens: %j', async (report) => {
  const script = `require('node:fs').writeSync(${starterFd}, ${JSON.stringify(encodeLine(report))})`;
  const child = spawn(process.execPath, ['-e', script], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const ended = once(child, 'close');
  let text = '';
  for await (const chunk of child.stdio[starterFd] as Readable) text += chunk;
  await ended;
  expect(text).toBe(encodeLine(report));
  expect(JSON.parse(text)).toEqual(report);
});

it('does not use a descriptor that every process has already', () => {
  expect(starterFd).toBeGreaterThan(2);
});
