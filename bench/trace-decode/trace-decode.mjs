// Frames decoded into tables per second: `busbar trace decode` by the clock, and one thread by its
// processor time, compared with a loop of python-can and cantools over frames of the same kind; and
// peak memory, also over copies of the trace; and an MF4 file decoded into CSV by one thread,
// compared with asammdf. cantools and asammdf are found through CANTOOLS_PYTHONPATH and
// ASAMMDF_PYTHONPATH. Usage:
//   node bench/trace-decode/trace-decode.mjs [--frames=<n>] [--copies=<n>] [python with python-can]
// With --sizes=10,40 it measures only the memory of the command, over traces of so many million
// frames.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bundlePrograms } from '../bundle.mjs';

const here = import.meta.dirname;
const busbar = resolve(here, '../../bin/busbar');
const { values, positionals } = parseArgs({
  options: {
    frames: { type: 'string', default: '2000000' },
    copies: { type: 'string', default: '5' },
    sizes: { type: 'string' },
  },
  allowPositionals: true,
});
const frames = Number(values.frames);
const copies = Number(values.copies);
const peerFrames = 50_000;
const mf4Frames = 1_000_000;
const turns = Number(process.env.BUSBAR_BENCH_TURNS ?? 2);
const leastRatio = 30;
const leastMf4Ratio = 3;
const mostParquet = 1.3;
const mostBytes = 300e6;
/** Memory that copies after the first may add. */
const mostMoreBytes = 32e6;

// Debian installs python-can for the system Python only.
const systemPython = '/usr/bin/python3';
const python = positionals[0] ?? (existsSync(systemPython) ? systemPython : 'python3');

const { CANTOOLS_PYTHONPATH: cantoolsPath, ASAMMDF_PYTHONPATH: asammdfPath } = process.env;

/** What a peer prints, or nothing if it is not installed. */
const runPeer = (path, ...words) => {
  const env = path ? { ...process.env, PYTHONPATH: path } : process.env;
  const stdio = ['ignore', 'pipe', 'ignore'];
  const { status, stdout } = spawnSync(python, words, { env, stdio });
  // asammdf prints which formats it does not support.
  return status === 0 ? [JSON.parse(stdout.toString().trim().split('\n').at(-1))] : [];
};

const folder = mkdtempSync(join(tmpdir(), 'busbar-trace-decode-'));
const at = (name) => join(folder, name);

const best = (runs) => runs.reduce((one, other) => (other.seconds < one.seconds ? other : one));
const rate = ({ frames, seconds }) => frames / seconds;
const secondsOf = (work) => {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start) / 1e9;
};
const fail = (text) => {
  console.log(text);
  process.exitCode = 1;
};

const program = at('measure.mjs');
const run = (...words) => execFileSync(process.execPath, [program, ...words]).toString();

const pollMs = 50;

/** The most memory of a program with all its threads, until shortly before it ends. */
const peakOf = (words) =>
  new Promise((done, failed) => {
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] });
    let peak = 0;
    const poll = setInterval(() => {
      const status = readFileSync(`/proc/${child.pid}/status`, 'latin1');
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024);
    }, pollMs);
    child.on('error', failed);
    child.on('exit', (code) => {
      clearInterval(poll);
      if (code === 0) done(peak);
      else failed(new Error(`${words.join(' ')} ended with ${code}`));
    });
  });

/** The command over ever longer traces: its memory must not follow their length. */
const measureSizes = async (millions) => {
  const peaks = [];
  for (const million of millions) {
    run('write', at('bench.dbc'), at('long.blf'), String(million * 1e6));
    const megabytes = Math.round(statSync(at('long.blf')).size / 1e6);
    const options = [`--database=${at('bench.dbc')}`, `--output=${at('long.parquet')}`];
    const start = process.hrtime.bigint();
    const peak = await peakOf([busbar, 'trace', 'decode', at('long.blf'), ...options]);
    const seconds = Number(process.hrtime.bigint() - start) / 1e9;
    peaks.push(peak);
    console.log(
      `${million} million frames, ${megabytes} MB of BLF to Parquet: ` +
        `${seconds.toFixed(0)} s, peak ${(peak / 1e6).toFixed(0)} MB (at most ${mostBytes / 1e6})`,
    );
    rmSync(at('long.parquet'));
  }
  const more = peaks.at(-1) - peaks[0];
  console.log(
    `${(more / 1e6).toFixed(0)} MB more for the longest (at most ${mostMoreBytes / 1e6})`,
  );
  if (Math.max(...peaks) > mostBytes || more > mostMoreBytes) process.exitCode = 1;
};

const measureAll = () => {
  run('write', at('bench.dbc'), at('whole.blf'), String(frames));
  run('write', at('bench.dbc'), at('part.blf'), String(peerFrames));
  run('write', at('bench.dbc'), at('part.mf4'), String(mf4Frames));
  const ours = {};
  const peers = [];
  const asammdf = [];
  const mf4 = [];
  const commands = [];
  for (let turn = 0; turn < turns; turn++) {
    for (const name of ['csv', 'jsonl', 'parquet', 'wide.csv', 'wide.parquet']) {
      // A wide text of a thousand columns is mostly commas: a part of the frames is enough.
      const trace = name === 'wide.csv' ? 'part.blf' : 'whole.blf';
      const output = at(`table.${name}`);
      const shape = name.startsWith('wide') ? ['wide'] : [];
      ours[name] ??= [];
      ours[name].push(JSON.parse(run('decode', at('bench.dbc'), at(trace), output, ...shape)));
      rmSync(output);
    }
    const options = [`--database=${at('bench.dbc')}`, `--output=${at('command.csv')}`];
    const decode = ['trace', 'decode', at('whole.blf'), ...options];
    const seconds = secondsOf(() => execFileSync(busbar, decode, { stdio: 'ignore' }));
    commands.push({ frames, seconds });
    rmSync(at('command.csv'));
    const peer = join(here, 'cantools_peer.py');
    peers.push(...runPeer(cantoolsPath, peer, at('bench.dbc'), at('part.blf'), at('peer.csv')));
    mf4.push(JSON.parse(run('decode', at('bench.dbc'), at('part.mf4'), at('table.csv'))));
    const words = [
      join(here, 'asammdf_peer.py'),
      at('bench.dbc'),
      at('part.mf4'),
      at('asammdf.csv'),
    ];
    asammdf.push(...runPeer(asammdfPath, ...words));
  }
  const theirs = peers.length > 0 ? best(peers) : undefined;
  console.log(
    `trace         ${frames} frames, ${(statSync(at('whole.blf')).size / 1e6).toFixed(0)} MB`,
  );
  const lines = Object.fromEntries(Object.entries(ours).map(([name, runs]) => [name, best(runs)]));
  for (const [name, line] of Object.entries(lines)) {
    const peak = Math.max(...ours[name].map(({ peakBytes }) => peakBytes));
    console.log(
      `${name.padEnd(14)}${(rate(line) / 1e6).toFixed(2)}M frames/s, ` +
        `${(line.samples / line.seconds / 1e6).toFixed(2)}M values/s, ` +
        `${(line.bytes / line.samples).toFixed(1)} bytes a value, peak ${(peak / 1e6).toFixed(0)} MB`,
    );
    if (peak > mostBytes) fail(`  more than ${mostBytes / 1e6} MB`);
  }
  if (copies > 1) {
    const { peaks, frames: all } = JSON.parse(
      run('decode', at('bench.dbc'), at('whole.blf'), '/dev/null', String(copies)).toString(),
    );
    const more = peaks.at(-1) - peaks[0];
    console.log(
      `${all} frames in ${copies} copies: peak ${(peaks.at(-1) / 1e6).toFixed(0)} MB, ` +
        `${(more / 1e6).toFixed(0)} MB more than after the first (at most ${mostMoreBytes / 1e6})`,
    );
    if (peaks.at(-1) > mostBytes || more > mostMoreBytes) process.exitCode = 1;
  }
  const share = lines.parquet.seconds / lines.csv.seconds;
  console.log(`parquet takes ${share.toFixed(2)} times as long as csv (at most ${mostParquet})`);
  if (share > mostParquet) process.exitCode = 1;
  if (theirs === undefined) console.log('cantools      not found: give a python that has it');
  else {
    const command = best(commands);
    const elapsed = best(peers.map(({ frames, elapsed }) => ({ frames, seconds: elapsed })));
    const ratio = rate(command) / rate(elapsed);
    console.log(
      `${theirs.versions} and cantools (bitstruct in ${theirs.bits}) ${Math.round(rate(elapsed))} frames/s: ` +
        `the command with its ${availableParallelism()} threads ${(rate(command) / 1e6).toFixed(2)}M frames/s, ` +
        `${ratio.toFixed(0)}× by the clock (at least ${leastRatio}×), ` +
        `one thread ${(rate(lines.csv) / rate(theirs)).toFixed(0)}× by processor time`,
    );
    if (ratio < leastRatio) process.exitCode = 1;
  }
  const fromMf4 = best(mf4);
  const mf4Line = `mf4           ${(rate(fromMf4) / 1e6).toFixed(2)}M frames/s to CSV`;
  if (asammdf.length === 0) console.log(`${mf4Line}; asammdf not found`);
  else {
    const other = best(asammdf);
    const ratio = rate(fromMf4) / rate(other);
    const extracted = rate({ ...other, seconds: other.extracted });
    console.log(
      `${mf4Line}, ${ratio.toFixed(1)}× asammdf ${other.version} with a file a message ` +
        `(${Math.round(rate(other))} frames/s, at least ${leastMf4Ratio}×), ` +
        `${(rate(fromMf4) / extracted).toFixed(1)}× its extraction of raw values into memory`,
    );
    if (ratio < leastMf4Ratio) process.exitCode = 1;
  }
};

try {
  await bundlePrograms(here, ['measure'], folder);
  if (values.sizes === undefined) measureAll();
  else await measureSizes(values.sizes.split(',').map(Number));
} finally {
  rmSync(folder, { recursive: true });
}
