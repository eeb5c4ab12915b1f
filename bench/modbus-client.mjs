// Requests per second of our Modbus client on one TCP connection, ten registers each and one at
// a time, compared with pymodbus, modbus-serial and libmodbus on the same server. Clients
// alternate in turns of a fraction of a second; the 90th percentile counts, because other
// programs disturb some turns. All processes run on one processor: otherwise most of the time
// would be spent waking another processor of the virtual machine. Needs taskset, cc and
// libmodbus; a missing peer is omitted. Usage: node bench/modbus-client.mjs [python with
// pymodbus]
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundlePrograms } from './bundle.mjs';

const here = join(import.meta.dirname, 'modbus-client');
const requestCount = 5000;
const roundCount = 20;
const warmUpRounds = 5;
/** Required ratio to each peer; peers without a limit are only shown. */
const leastRatios = { pymodbus: 1, 'modbus-serial': 1.5 };

// Debian installs pymodbus for the system Python only.
const systemPython = '/usr/bin/python3';
const python = process.argv[2] ?? (existsSync(systemPython) ? systemPython : 'python3');

const compile = (folder, name) => {
  const program = join(folder, name);
  const source = join(here, `${name}.c`);
  execFileSync('cc', ['-O2', '-I/usr/include/modbus', '-o', program, source, '-lmodbus']);
  return program;
};

/** One turn of a client: its rate, or nothing after it has ended. */
const turnOf = async ({ child, lines }) => {
  if (child.exitCode !== null) return undefined;
  child.stdin.write('\n');
  // Waits for a whole line: continuing after a part of it would measure two turns together.
  const { value } = await lines.next();
  return value === undefined ? undefined : Number(value);
};

const goodTurn = (rates) => rates.toSorted((a, b) => a - b)[Math.floor(0.9 * rates.length)];

const start = (name, command, ...parameters) => {
  const child = spawn(command, parameters, { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.on('error', () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { name, child, lines, rates: [] };
};

const folder = mkdtempSync(join(tmpdir(), 'busbar-modbus-'));
const children = [];
const [, processor] = /Cpus_allowed_list:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
execFileSync('taskset', ['--cpu-list', '--pid', processor, `${process.pid}`], { stdio: 'ignore' });
try {
  const server = spawn(compile(folder, 'server'), { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(server);
  const port = String((await once(server.stdout, 'data'))[0]).trim();
  const target = [port, String(requestCount)];
  // Flags of the daemon.
  const node = [process.execPath, '--single-threaded-gc'];
  await bundlePrograms(here, ['measure'], folder);
  const clients = [
    start('busbar', ...node, join(folder, 'measure.mjs'), ...target),
    start('libmodbus', compile(folder, 'client'), ...target),
    start('pymodbus', python, join(here, 'pymodbus_peer.py'), ...target),
    start('modbus-serial', ...node, join(here, 'modbus-serial-peer.mjs'), ...target),
  ];
  children.push(...clients.map(({ child }) => child));
  for (let round = 0; round < warmUpRounds + roundCount; round++) {
    for (const client of clients) {
      const rate = await turnOf(client);
      if (round >= warmUpRounds && rate !== undefined) client.rates.push(rate);
    }
  }
  const [ours, ...peers] = clients;
  if (ours.rates.length < roundCount) throw new Error('our own client failed');
  const kilo = (rate) => `${(rate / 1000).toFixed(1).padStart(6)}k/s`;
  const ourRate = goodTurn(ours.rates);
  console.log(`${'busbar'.padEnd(16)}${kilo(ourRate)}`);
  for (const { name, rates } of peers) {
    if (rates.length < roundCount) {
      console.log(`${name.padEnd(16)} omitted: not installed, or failed`);
      continue;
    }
    const rate = goodTurn(rates);
    const ratio = ourRate / rate;
    const least = leastRatios[name];
    const isMissed = least !== undefined && ratio < least;
    const limit = least === undefined ? '' : ` (${isMissed ? 'missed' : 'at least'} ${least}×)`;
    console.log(`${name.padEnd(16)}${kilo(rate)}  ${ratio.toFixed(2)}×${limit}`);
    if (isMissed) process.exitCode = 1;
  }
} finally {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true });
}
