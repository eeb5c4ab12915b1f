// Lateness of a 1 ms periodic task: our scheduler compared with Node and Python in the same
// run. Usage: node bench/lateness/lateness.mjs [ticks per measurement, 3000]
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundlePrograms } from '../bundle.mjs';
import { environment as env } from '../daemon.mjs';

const here = import.meta.dirname;
const python = '/usr/bin/python3';
const daemonFlags = ['--single-threaded-gc'];
const ticks = process.argv[2] ?? '3000';

const run = promisify(execFile);

const runNode = async (folder, flags, args) => {
  const { stdout } = await run(
    process.execPath,
    [...flags, join(folder, 'measure.mjs'), `--ticks=${ticks}`, ...args],
    { env },
  );
  return JSON.parse(stdout);
};

/** Python has no load of its own: the same load runs in parallel. */
const runPython = async (folder, loaded) => {
  const load = loaded
    ? spawn(process.execPath, [join(folder, 'load.mjs')], { env, stdio: 'ignore' })
    : undefined;
  try {
    const { stdout } = await run(python, [join(here, 'asyncio_peer.py'), ticks], { env });
    return JSON.parse(stdout);
  } finally {
    load?.kill();
  }
};

const states = [
  { name: 'idle', args: [], limit: 120 },
  { name: 'loaded', args: ['--loaded'], limit: 400 },
];

const measureAll = async (folder) => {
  const rows = [];
  const measure = async (state, way, limit, measurement) => {
    const { p50, p99, missed, realtime } = await measurement;
    const refused = realtime?.granted === false ? ` (refused: ${realtime.reason})` : '';
    rows.push({ state, way: way + refused, limit, p50, p99, missed });
  };
  for (const { name, args, limit } of states) {
    await measure(name, 'scheduler', limit, runNode(folder, daemonFlags, args));
    await measure(name, 'scheduler, default GC', undefined, runNode(folder, [], args));
    await measure(name, 'setTimeout', undefined, runNode(folder, [], ['--way=timeout', ...args]));
    await measure(name, 'setInterval', undefined, runNode(folder, [], ['--way=interval', ...args]));
    if (!existsSync(python)) continue;
    await measure(name, 'python asyncio', undefined, runPython(folder, name === 'loaded'));
  }
  const realtime = runNode(folder, daemonFlags, ['--loaded', '--realtime']);
  await measure('loaded', 'scheduler --realtime', 200, realtime);
  return rows;
};

const times = (ratio) => `${ratio.toFixed(ratio < 10 ? 1 : 0)}×`;

/** How many times later a peer is than the scheduler in the same state. */
const ratioTo = (rows, row) => {
  const ours = rows.find(({ state, limit }) => state === row.state && limit !== undefined);
  if (row.limit !== undefined) return '';
  return `${times(row.p50 / ours.p50)} / ${times(row.p99 / ours.p99)}`;
};

const againstLimit = ({ p99, limit }) => {
  if (limit === undefined) return '';
  return `${(p99 / limit).toFixed(2)} of ${limit} µs${p99 > limit ? ', beyond it' : ''}`;
};

const print = (rows) => {
  const head = [
    'state',
    'way',
    'p50 µs',
    'p99 µs',
    'periods lost',
    'p50 / p99 to ours',
    'p99 to reach',
  ];
  const body = rows.map((row) => [
    row.state,
    row.way,
    row.p50.toFixed(0),
    row.p99.toFixed(0),
    String(row.missed),
    ratioTo(rows, row),
    againstLimit(row),
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...body.map((cells) => cells[column].length)),
  );
  const isNumber = (column) => column >= 2 && column <= 4;
  for (const cells of [head, ...body]) {
    const padded = cells.map((cell, column) =>
      isNumber(column) ? cell.padStart(widths[column]) : cell.padEnd(widths[column]),
    );
    console.log(padded.join('  ').trimEnd());
  }
};

const folder = mkdtempSync(join(tmpdir(), 'busbar-lateness-'));
try {
  const [load] = loadavg();
  console.log(`load average before: ${load.toFixed(1)} on ${availableParallelism()} cores`);
  await bundlePrograms(here, ['measure', 'load'], folder);
  print(await measureAll(folder));
} finally {
  rmSync(folder, { recursive: true });
}
