// Duration of `busbar web status` compared with an empty Node program, alternating.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { busbar, environment } from './daemon.mjs';

const rounds = 30;
const limit = 1.6;
const home = mkdtempSync(join(tmpdir(), 'busbar-bench-'));
const empty = join(home, 'empty.cjs');
writeFileSync(empty, '');

const env = { ...environment, BUSBAR_HOME: join(home, 'home') };

const timed = (...args) => {
  const start = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, args, { env, cwd: home });
  if (status !== 0) throw new Error(`${args.join(' ')} failed: ${stderr}`);
  return Number(process.hrtime.bigint() - start) / 1e6;
};

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

const measure = () => {
  const columns = { empty: [], version: [], 'web status': [] };
  for (let round = 0; round < rounds; round++) {
    columns.empty.push(timed(empty));
    columns.version.push(timed(busbar, 'version'));
    columns['web status'].push(timed(busbar, 'web', 'status'));
  }
  return Object.fromEntries(Object.entries(columns).map(([name, all]) => [name, median(all)]));
};

const report = (title, medians) => {
  if (medians['web status'] > limit * medians.empty) process.exitCode = 1;
  const ratio = (name) => (medians[name] / medians.empty).toFixed(2);
  console.log(
    `${title}: empty Node program ${medians.empty.toFixed(1)} ms, ` +
      `version ${medians.version.toFixed(1)} ms (${ratio('version')}x), ` +
      `web status ${medians['web status'].toFixed(1)} ms (${ratio('web status')}x, limit ${limit}x)`,
  );
};

try {
  report('without a daemon', measure());
  timed(busbar, 'web', 'start', '--listen=127.0.0.1:0');
  report('with the Web service running', measure());
} finally {
  timed(busbar, 'daemon', 'stop');
  rmSync(home, { recursive: true });
}
