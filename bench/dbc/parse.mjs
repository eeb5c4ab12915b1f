// Time to read a DBC file of a vehicle bus, compared with cantools. Usage: node
// bench/dbc/parse.mjs [folder with cantools]; by default CANTOOLS_PYTHONPATH, else the cantools
// of python3.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundlePrograms } from '../bundle.mjs';

const here = import.meta.dirname;
const ratioLimit = 8;

const cantoolsPath = process.argv[2] ?? process.env.CANTOOLS_PYTHONPATH;
const environment = cantoolsPath ? { ...process.env, PYTHONPATH: cantoolsPath } : process.env;

const measurePeer = (file) => {
  const peer = join(here, 'cantools_peer.py');
  const { status, stdout } = spawnSync('python3', [peer, file], {
    env: environment,
    encoding: 'utf8',
  });
  if (status !== 0) return undefined;
  const { times, signals } = JSON.parse(stdout);
  return { signals, middle: times.sort((a, b) => a - b)[times.length >> 1] };
};

const milliseconds = (time) => `${time.toFixed(1)} ms`;

const folder = mkdtempSync(join(tmpdir(), 'busbar-dbc-'));
try {
  const program = join(folder, 'measure.mjs');
  await bundlePrograms(here, ['measure'], folder);
  const file = join(folder, 'synthetic.dbc');
  const answer = execFileSync(process.execPath, [program, file], { encoding: 'utf8' });
  const { bytes, signals, first, middle } = JSON.parse(answer);
  const rate = bytes / 1e3 / middle;
  console.log(`file                 ${(bytes / 1e3).toFixed(0)} kB, ${signals} signals`);
  console.log(`first reading        ${milliseconds(first)}`);
  console.log(`middle reading       ${milliseconds(middle)}, ${rate.toFixed(1)} MB/s`);
  const peer = measurePeer(file);
  if (peer === undefined) {
    console.log('cantools             not found: give its folder as argument');
  } else {
    const ratio = peer.middle / middle;
    const isMissed = ratio < ratioLimit || peer.signals !== signals;
    console.log(`cantools             ${milliseconds(peer.middle)}, ${peer.signals} signals`);
    console.log(
      `against cantools     ${ratio.toFixed(1)}×, first ${(peer.middle / first).toFixed(1)}×; ` +
        `limit ${ratioLimit}×${isMissed ? ', missed' : ''}`,
    );
    if (isMissed) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}
