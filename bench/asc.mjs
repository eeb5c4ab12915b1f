// Frames read from and written to ASC files per second of processor time, compared with
// python-can on frames of the same file. The best round of each counts, because other programs
// only slow them down. Usage: node bench/asc.mjs [python with python-can]
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundlePrograms } from './bundle.mjs';

const here = join(import.meta.dirname, 'asc');
const frameCount = 300_000;
const peerFrameCount = 40_000;
const turnCount = 4;
const roundCount = 7;
const peerRoundCount = 2;
const leastRatios = { read: 15, write: 5 };

// Debian installs python-can for the system Python only.
const systemPython = '/usr/bin/python3';
const python = process.argv[2] ?? (existsSync(systemPython) ? systemPython : 'python3');

const bestOf = (runs) =>
  runs[0] && {
    ...runs[0],
    read: Math.max(...runs.map(({ read }) => read)),
    write: Math.max(...runs.map(({ write }) => write)),
  };

const millions = (rate) => `${(rate / 1e6).toFixed(2)}M frames/s`;

const folder = mkdtempSync(join(tmpdir(), 'busbar-asc-'));
try {
  const program = join(folder, 'measure.mjs');
  await bundlePrograms(here, ['measure'], folder);
  const [whole, part, copy] = ['whole', 'part', 'copy'].map((name) => join(folder, `${name}.asc`));
  const sizes = [frameCount, peerFrameCount, roundCount].map(String);
  const peer = join(here, 'python_can_peer.py');
  const runOurs = () =>
    JSON.parse(execFileSync(process.execPath, [program, whole, part, ...sizes]).toString());
  const runPeer = () => {
    const { status, stdout } = spawnSync(python, [peer, part, copy, String(peerRoundCount)]);
    return status === 0 ? JSON.parse(stdout.toString()) : undefined;
  };
  // Alternating, so that a busy period affects both.
  const turns = Array.from({ length: turnCount }, () => [runOurs(), runPeer()]);
  const ours = bestOf(turns.map(([run]) => run));
  const theirs = bestOf(turns.map(([, run]) => run));
  console.log(`file        ${(ours.bytes / 1e6).toFixed(0)} MB, ${ours.frames} frames`);
  if (theirs === undefined) console.log('python-can  not found: give a python that has it');
  const isWhole =
    ours.frames === frameCount && (theirs === undefined || theirs.frames === peerFrameCount);
  if (!isWhole) console.log('frames are missing');
  if (!isWhole) process.exitCode = 1;
  for (const [way, least] of Object.entries(leastRatios)) {
    const figure = `${way.padEnd(12)}${millions(ours[way])}`;
    if (theirs === undefined) console.log(figure);
    else {
      const ratio = ours[way] / theirs[way];
      const verdict = ratio < least ? 'missed' : 'at least';
      console.log(
        `${figure}, python-can ${theirs.version} ${millions(theirs[way])}: ` +
          `${ratio.toFixed(0)}× (${verdict} ${least}×)`,
      );
      if (ratio < least) process.exitCode = 1;
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
