// Rows per second of processor time in which a BLF file is read and filtered by 1 and by 10
// conditions, compared with reading alone, and with a loop over python-can that finds the same in
// frames of the same kind; and what a row in memory allocates. Usage:
//   node bench/conditions/conditions.mjs [--frames=<n>] [python with python-can]
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundlePrograms } from '../bundle.mjs';

const here = import.meta.dirname;
const { values, positionals } = parseArgs({
  options: { frames: { type: 'string', default: '1000000' } },
  allowPositionals: true,
});
const peerFrames = 50_000;
const turns = 3;
const limits = { ratio: 5, ofReading: { 1: 0.6, 10: 0.35 }, bytes: 0.5 };

// Debian installs python-can for the system Python only.
const systemPython = '/usr/bin/python3';
const python = positionals[0] ?? (existsSync(systemPython) ? systemPython : 'python3');

const best = (runs) => runs.reduce((one, other) => (other.seconds < one.seconds ? other : one));
const rate = ({ frames, seconds }) => frames / seconds;
const shown = (perSecond) => `${(perSecond / 1e6).toFixed(3)}M rows/s`;
const fail = (text) => {
  console.log(text);
  process.exitCode = 1;
};

const folder = mkdtempSync(join(tmpdir(), 'busbar-conditions-'));
try {
  await bundlePrograms(here, ['measure'], folder);
  const program = join(folder, 'measure.mjs');
  const [whole, part] = [join(folder, 'whole.blf'), join(folder, 'part.blf')];
  const run = (...words) =>
    execFileSync(process.execPath, [program, ...words.map(String)]).toString();
  run('write', whole, values.frames);
  run('write', part, peerFrames);
  const read = (file, count) => JSON.parse(run('read', file, count));
  const runPeer = (count) => {
    const peer = join(here, 'python_can_peer.py');
    const { status, stdout } = spawnSync(python, [peer, part, String(count)]);
    return status === 0 ? JSON.parse(stdout.toString()) : undefined;
  };
  const counts = [0, 1, 10];
  // Alternating, so that a busy period affects all.
  const rounds = Array.from({ length: turns }, () =>
    counts.map((count) => [read(whole, count), runPeer(count)]),
  );
  const results = counts.map((count, index) => {
    const peers = rounds.map((round) => round[index][1]).filter(Boolean);
    const ours = best(rounds.map((round) => round[index][0]));
    return { count, ours, theirs: peers.length > 0 ? best(peers) : undefined };
  });
  const reading = rate(results[0].ours);
  for (const { count, ours, theirs } of results) {
    const name = count === 0 ? 'reading alone' : `${count} condition${count === 1 ? '' : 's'}`;
    const share = rate(ours) / reading;
    const least = limits.ofReading[count];
    const ofReading = count === 0 ? '' : `, ${share.toFixed(2)} of reading (at least ${least})`;
    if (theirs === undefined) console.log(`${name.padEnd(14)} ${shown(rate(ours))}${ofReading}`);
    else {
      const ratio = rate(ours) / rate(theirs);
      console.log(
        `${name.padEnd(14)} ${shown(rate(ours))}${ofReading}; python-can ${theirs.version} ${shown(rate(theirs))}: ${ratio.toFixed(1)}×`,
      );
      const same = read(part, count).fired.join();
      if (same !== theirs.fired.join()) fail(`  fired ${same}, the peer ${theirs.fired.join()}`);
      if (count > 0 && ratio < limits.ratio) fail(`  missed: at least ${limits.ratio}×`);
    }
    if (share < (least ?? 0)) fail('  missed');
    if (ours.frames !== Number(values.frames)) fail('  frames are missing');
  }
  const flags = [
    ...['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64'],
    '--no-concurrent-recompilation',
  ];
  const inMemory = execFileSync(process.execPath, [...flags, program, 'allocate']).toString();
  for (const { count, ns, bytes } of JSON.parse(inMemory)) {
    console.log(
      `in memory, ${count} of them: ${ns.toFixed(1)} ns and ${bytes.toFixed(2)} bytes a row (at most ${limits.bytes})`,
    );
    if (bytes > limits.bytes) fail('  missed');
  }
} finally {
  rmSync(folder, { recursive: true });
}
