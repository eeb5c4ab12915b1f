// Requests per second that our Modbus TCP server answers for one client, with one and with
// eight requests in flight, compared with libmodbus, jsmodbus, pymodbus and modbus-serial in
// the same run. The best round of each counts, because other programs only slow them down.
// Needs cc; libmodbus its headers. A missing peer is omitted. Usage: node
// bench/modbus-server.mjs [python with pymodbus]
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundlePrograms } from './bundle.mjs';

const here = join(import.meta.dirname, 'modbus-server');
const registerCount = 10;
const roundCount = 20;
const roundMs = 200;
const depths = [1, 8];
const leastRatios = [
  { depth: 1, peer: 'jsmodbus', ratio: 1.3 },
  { depth: 1, peer: 'pymodbus', ratio: 1.7 },
  { depth: 8, peer: 'libmodbus', ratio: 1 },
];

// Debian installs pymodbus for the system Python only.
const systemPython = '/usr/bin/python3';
const python = process.argv[2] ?? (existsSync(systemPython) ? systemPython : 'python3');

const compile = (folder, source, ...libraries) => {
  const program = join(folder, source.replace('.c', ''));
  execFileSync('cc', ['-O2', '-o', program, join(here, source), ...libraries], { stdio: 'pipe' });
  return program;
};

/** A server in a separate process, or nothing if it cannot be started. */
const startServer = async (name, command, parameters) => {
  try {
    const child = spawn(command, [...parameters, String(registerCount)], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const [port] = await Promise.race([
      once(child.stdout, 'data'),
      once(child, 'close').then(() => {
        throw new Error(child.stderr.read()?.toString().trim() ?? 'it ended immediately');
      }),
    ]);
    child.stderr.resume();
    return { name, child, port: port.toString().trim(), best: {}, failures: {} };
  } catch (error) {
    console.log(`${name.padEnd(14)} omitted: ${error.message.split('\n').at(-1)}`);
    return undefined;
  }
};

const startLibmodbus = async (folder) => {
  try {
    return await startServer('libmodbus', compile(folder, 'libmodbus_peer.c', '-lmodbus'), []);
  } catch {
    console.log('libmodbus      omitted: it could not be compiled');
    return undefined;
  }
};

const startAll = async (folder) => {
  await bundlePrograms(here, ['ours'], folder);
  const node = process.execPath;
  // Flags of the daemon.
  const flags = ['--single-threaded-gc'];
  return [
    await startServer('busbar', node, [...flags, join(folder, 'ours.mjs')]),
    await startLibmodbus(folder),
    await startServer('jsmodbus', node, [...flags, join(here, 'jsmodbus-peer.cjs')]),
    await startServer('pymodbus', python, [join(here, 'pymodbus_peer.py')]),
    await startServer('modbus-serial', node, [...flags, join(here, 'modbus-serial-peer.cjs')]),
  ].filter((server) => server !== undefined);
};

const measure = async (load, server, depth) => {
  const parameters = [server.port, depth, registerCount, roundMs].map(String);
  try {
    const { stdout } = await promisify(execFile)(load, parameters);
    server.best[depth] = Math.max(server.best[depth] ?? 0, Number(stdout));
  } catch (error) {
    server.failures[depth] ??= error.stderr.trim();
  }
};

const folder = mkdtempSync(join(tmpdir(), 'busbar-modbus-'));
let servers = [];
try {
  const load = compile(folder, 'load.c');
  servers = await startAll(folder);
  for (const depth of depths) {
    for (let round = 0; round < roundCount; round++) {
      for (const server of servers) await measure(load, server, depth);
    }
  }
  console.log(`requests/s     ${depths.map((depth) => `depth ${depth}`.padStart(9)).join('')}`);
  for (const { name, best, failures } of servers) {
    const figures = depths.map((depth) => (best[depth] ?? 0).toFixed(0).padStart(9)).join('');
    console.log([name.padEnd(14), figures, ...Object.values(failures)].join(' '));
  }
  const [ours] = servers;
  if (ours.name !== 'busbar' || Object.keys(ours.failures).length > 0) process.exitCode = 1;
  for (const { depth, peer, ratio } of leastRatios) {
    const theirs = servers.find(({ name }) => name === peer);
    if (theirs === undefined) continue;
    const reached = ours.best[depth] / theirs.best[depth];
    const verdict = reached < ratio ? 'missed' : 'at least';
    console.log(`depth ${depth}: ${reached.toFixed(2)}× ${peer} (${verdict} ${ratio}×)`);
    if (reached < ratio) process.exitCode = 1;
  }
} finally {
  for (const { child } of servers) child.kill();
  rmSync(folder, { recursive: true });
}
