// Frames per second to one WebSocket client, and the cost of each for the server, compared with
// a server that calls `send` for every frame in the same run. The best of several rounds
// counts, because other programs only slow them down. Usage: node bench/websocket/websocket.mjs
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundlePrograms } from '../bundle.mjs';

const here = import.meta.dirname;
const rateLimit = 1e6;
const ratioLimit = 5;
const cpuLimitUs = 0.3;

const best = (runs) => ({
  rate: Math.max(...runs.map(({ rate }) => rate)),
  cpuUs: Math.min(...runs.map(({ cpuUs }) => cpuUs)),
});

const row = (name, { rate, cpuUs }) =>
  `${name.padEnd(24)} ${(rate / 1e6).toFixed(2).padStart(6)}M frames/s ${cpuUs.toFixed(2).padStart(6)} µs a frame`;

const verdict = (what, isReached) => `${what}${isReached ? '' : ', missed'}`;

const folder = mkdtempSync(join(tmpdir(), 'busbar-websocket-'));
try {
  await bundlePrograms(here, ['measure', 'client'], folder);
  const flags = ['--single-threaded-gc', join(folder, 'measure.mjs')];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  const runs = JSON.parse(stdout);
  const stream = best(runs.map((run) => run.stream));
  const peer = best(runs.map((run) => run.peer));
  const ratio = stream.rate / peer.rate;
  const checks = [
    [`${(stream.rate / rateLimit).toFixed(2)}× of 1M frames/s`, stream.rate >= rateLimit],
    [`${ratio.toFixed(1)}× ws.send each (limit ${ratioLimit}×)`, ratio >= ratioLimit],
    [`${(stream.cpuUs / cpuLimitUs).toFixed(2)} of ${cpuLimitUs} µs`, stream.cpuUs <= cpuLimitUs],
  ];
  console.log(row('from the broker', stream));
  console.log(row('ws.send each', peer));
  for (const [what, isReached] of checks) console.log(verdict(what, isReached));
  if (checks.some(([, isReached]) => !isReached)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
