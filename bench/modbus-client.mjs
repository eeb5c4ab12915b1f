// Requests a second of our Modbus client over one TCP connection, ten registers each and one under
// way at a time, beside pymodbus, modbus-serial and libmodbus with the same server in the same run.
// The best of many short windows counts, as other programs only ever make figures worse.
// Usage: node bench/modbus-client.mjs [python that has pymodbus]
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const here = join(import.meta.dirname, 'modbus-client');
const REQUESTS = 1000;
const WINDOWS = 10;
const ROUNDS = 5;
/** How many times as fast as each peer; those without a limit are shown only. */
const LEAST = { pymodbus: 1, 'modbus-serial': 1.5 };

// Debian's package belongs to Debian's own Python.
const systemPython = '/usr/bin/python3';
const python = process.argv[2] ?? (existsSync(systemPython) ? systemPython : 'python3');

const compile = (folder, name) => {
  const program = join(folder, name);
  const flags = execFileSync('pkg-config', ['--cflags', '--libs', 'libmodbus']).toString().trim();
  const sources = ['-O2', '-o', program, join(here, `${name}.c`), ...flags.split(/\s+/)];
  execFileSync('cc', sources, { stdio: 'inherit' });
  return program;
};

const bundle = async (folder) => {
  const program = join(folder, 'measure.mjs');
  await build({
    entryPoints: [join(here, 'measure.ts')],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['koffi'],
    outfile: program,
    logLevel: 'error',
  });
  return program;
};

const folder = mkdtempSync(join(tmpdir(), 'busbar-modbus-'));
let server;
try {
  server = spawn(compile(folder, 'server'), { stdio: ['ignore', 'pipe', 'inherit'] });
  const [told] = await once(server.stdout, 'data');
  const clients = [
    [process.execPath, await bundle(folder)],
    [compile(folder, 'client')],
    [python, join(here, 'pymodbus_peer.py')],
    [process.execPath, join(here, 'modbus-serial-peer.mjs')],
  ];
  const best = new Map();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [program, ...first] of clients) {
      const args = [...first, String(told).trim(), String(REQUESTS), String(WINDOWS)];
      const { status, stdout } = spawnSync(program, args);
      if (status !== 0) continue;
      const { name, version, rate } = JSON.parse(stdout.toString());
      const before = best.get(name)?.rate ?? 0;
      best.set(name, { version, rate: Math.max(before, rate) });
    }
  }
  const ours = best.get('busbar');
  if (ours === undefined) throw new Error('our own client failed');
  for (const [name, { version, rate }] of best) {
    const figure = `${`${name} ${version}`.padEnd(24)}${(rate / 1000).toFixed(1).padStart(6)}k/s`;
    const ratio = ours.rate / rate;
    const least = LEAST[name];
    const isMissed = least !== undefined && ratio < least;
    const limit = least === undefined ? '' : ` (${isMissed ? 'missed' : 'at least'} ${least}×)`;
    console.log(name === 'busbar' ? figure : `${figure}  ${ratio.toFixed(2)}×${limit}`);
    if (isMissed) process.exitCode = 1;
  }
  for (const name of Object.keys(LEAST)) {
    if (!best.has(name)) console.log(`${name.padEnd(24)}not found`);
  }
} finally {
  server?.kill();
  rmSync(folder, { recursive: true });
}
