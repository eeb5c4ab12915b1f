// Signals decoded per second, compared with C generated for the same layouts and with cantools.
// The best round of each counts, because other programs only slow them down. The result is one
// frame of each layout together: short messages cost us mostly the call, which is cheaper in C.
// C needs `cc`; cantools is found through CANTOOLS_PYTHONPATH. Usage: node
// bench/decode/decode.mjs
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundlePrograms } from '../bundle.mjs';
import { decodersSource, programSource } from './generate-c.mjs';
import { frameCount, layouts, payloadsOf } from './layouts.mjs';

const here = import.meta.dirname;
const turnCount = 6;
const roundCount = 5;
const roundNs = 8e6;
const leastOfC = 0.4;
const leastOfCantools = 25;
const pythonPath = process.env.CANTOOLS_PYTHONPATH;

const output = (command, parameters, env = {}) =>
  execFileSync(command, parameters, {
    env: { ...process.env, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });

const hasCompiler = () => {
  try {
    execFileSync('cc', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const dbcLine = ({
  name,
  startBit,
  length,
  byteOrder,
  isSigned,
  factor,
  offset,
  mux,
  isSwitch,
}) => {
  const mark = isSwitch ? ' M' : mux === null ? '' : ` m${mux.value}`;
  const order = byteOrder === 'intel' ? 1 : 0;
  const sign = isSigned ? '-' : '+';
  return ` SG_ ${name}${mark} : ${startBit}|${length}@${order}${sign} (${factor},${offset}) [0|0] "" A`;
};

const dbcText = () =>
  layouts
    .map(({ name, length, signals }, at) =>
      [`BO_ ${at + 1} ${name}: ${length} A`, ...signals.map(dbcLine)].join('\n'),
    )
    .join('\n\n');

/** Prepares a competitor; returns a function that runs it once. */
const prepareOurs = async (folder) => {
  await bundlePrograms(here, ['measure'], folder);
  return () => JSON.parse(output(process.execPath, [join(folder, 'measure.mjs')]));
};

const prepareC = (folder, payloadFiles) => {
  const sources = [join(folder, 'decoders.c'), join(folder, 'program.c')];
  writeFileSync(sources[0], decodersSource(layouts));
  writeFileSync(sources[1], programSource(layouts, frameCount, roundCount, roundNs));
  const program = join(folder, 'program');
  output('cc', ['-O2', '-o', program, ...sources]);
  return () => JSON.parse(output(program, payloadFiles));
};

const prepareCantools = (folder, payloadFiles) => {
  const file = join(folder, 'layouts.dbc');
  writeFileSync(file, dbcText());
  const script = join(here, 'cantools_peer.py');
  return () =>
    JSON.parse(output('python3', [script, file, ...payloadFiles], { PYTHONPATH: pythonPath }));
};

const kinds = ['raw', 'physical'];

/** Best time of several runs per layout and kind. */
const bestOf = (runs) =>
  Object.fromEntries(
    layouts.map(({ name }) => [
      name,
      Object.fromEntries(
        kinds.map((kind) => [kind, Math.min(...runs.map((run) => run[name][kind]))]),
      ),
    ]),
  );

const sumOf = (numbers) => numbers.reduce((sum, number) => sum + number, 0);
const row = (title, signals, time, ratios) => {
  const rate = `${((signals / time) * 1e3).toFixed(0)}M signals/s`;
  console.log([title.padEnd(22), rate.padStart(16), ...ratios].join('  '));
};
const ratioText = (ratio, name) => `${ratio.toFixed(ratio < 10 ? 2 : 0)}× ${name}`;

const print = (times, peers) => {
  for (const { name, decoded } of layouts) {
    for (const kind of kinds) {
      const time = times[name][kind];
      const ratios = peers.map((peer) => ratioText(peer.times[name][kind] / time, peer.name));
      row(`${name}, ${kind}`, decoded, time, ratios);
    }
  }
  for (const kind of kinds) {
    const total = (all) => sumOf(layouts.map(({ name }) => all[name][kind]));
    const ratios = peers.map((peer) => {
      const ratio = total(peer.times) / total(times);
      if (ratio >= peer.least) return `${ratioText(ratio, peer.name)} (at least ${peer.least})`;
      process.exitCode = 1;
      return `${ratioText(ratio, peer.name)} (missed ${peer.least})`;
    });
    row(`all, ${kind}`, sumOf(layouts.map(({ decoded }) => decoded)), total(times), ratios);
  }
};

const folder = mkdtempSync(join(tmpdir(), 'busbar-decode-'));
try {
  const payloadFiles = layouts.map((layout) => {
    const file = join(folder, `${layout.name}.bin`);
    writeFileSync(file, payloadsOf(layout.length, layout.pages));
    return file;
  });
  const entrants = [{ name: 'busbar', least: 0, run: await prepareOurs(folder) }];
  if (hasCompiler()) {
    entrants.push({ name: 'C', least: leastOfC, run: prepareC(folder, payloadFiles) });
  } else console.log('C omitted: cc is not installed');
  if (pythonPath) {
    const run = prepareCantools(folder, payloadFiles);
    entrants.push({ name: 'cantools', least: leastOfCantools, run });
  } else console.log('cantools omitted: set CANTOOLS_PYTHONPATH to its folder');

  // Alternating, so that a busy period affects all of them.
  const runs = entrants.map(() => []);
  for (let turn = 0; turn < turnCount; turn++) {
    for (const [at, { run }] of entrants.entries()) runs[at].push(run());
  }
  const [ours, ...peers] = entrants.map(({ name, least }, at) => ({
    name,
    least,
    times: bestOf(runs[at]),
  }));
  print(ours.times, peers);
} finally {
  rmSync(folder, { recursive: true });
}
