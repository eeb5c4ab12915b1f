// Events per second to one client of the SSE stream, and the cost of each for the server,
// compared with a server that writes prepared texts one by one. The result is events per second
// of the server's own processor time, because the client and other programs share the machine.
// The best of several rounds counts. Usage: node bench/sse/sse.mjs
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundlePrograms } from '../bundle.mjs';

const here = import.meta.dirname;
const ratioLimit = 2;

const best = (runs) => ({
  rate: Math.max(...runs.map(({ rate }) => rate)),
  cpuUs: Math.min(...runs.map(({ cpuUs }) => cpuUs)),
});

const row = (name, { rate, cpuUs }) =>
  `${name.padEnd(20)} ${(rate / 1e6).toFixed(2).padStart(6)}M events/s ${cpuUs.toFixed(2).padStart(6)} µs an event`;

const folder = mkdtempSync(join(tmpdir(), 'busbar-sse-'));
try {
  await bundlePrograms(here, ['measure', 'client'], folder);
  const flags = ['--single-threaded-gc', join(folder, 'measure.mjs')];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  const runs = JSON.parse(stdout);
  const stream = best(runs.map((run) => run.stream));
  const peer = best(runs.map((run) => run.peer));
  const ratio = peer.cpuUs / stream.cpuUs;
  const isReached = ratio >= ratioLimit;
  console.log(row('from the broker', stream));
  console.log(row('res.write each', peer));
  console.log(
    `${ratio.toFixed(1)}× res.write each (limit ${ratioLimit}×)${isReached ? '' : ', missed'}; by the clock ${(stream.rate / peer.rate).toFixed(1)}×`,
  );
  if (!isReached) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
