// Cost of publishing and reading, compared with its limits and with postMessage in the same run.
// The median of several rounds counts, because other programs disturb some; the best round shows
// the limit of the machine. Usage: node bench/broker/broker.mjs
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundlePrograms } from '../bundle.mjs';

const here = import.meta.dirname;
const publishLimitNs = 500;
const mergedReadLimit = 5e6;

const millions = (rate) => `${(rate / 1e6).toFixed(rate < 1e6 ? 3 : 1)}M/s`;
const nanoseconds = (time) => `${time.toFixed(0)} ns`;
const missed = (isMissed) => (isMissed ? ', missed' : '');

const publishRow = ({ name, best, middle }) => [
  `publish, ${name}`,
  nanoseconds(middle),
  nanoseconds(best),
  `${(middle / publishLimitNs).toFixed(2)} of ${publishLimitNs} ns${missed(middle > publishLimitNs)}`,
];

const readRow = ({ name, best, middle }) => [
  `merged read, ${name}`,
  millions(middle),
  millions(best),
  `${(middle / mergedReadLimit).toFixed(1)}× of ${millions(mergedReadLimit)}${missed(middle < mergedReadLimit)}`,
];

const transferRow =
  (peer) =>
  ({ name, rate, lost, unaccounted }) => [
    `to a reader thread, ${name}`,
    millions(rate),
    '',
    `${(rate / peer).toFixed(1)}× postMessage; ${lost} in gaps, ${unaccounted} unaccounted${missed(unaccounted > 0)}`,
  ];

const print = ({ publish, mergedRead, transfer, postMessage }) => {
  const rows = [
    ['what', 'middle', 'best', 'against'],
    ...publish.map(publishRow),
    ...mergedRead.map(readRow),
    ...transfer.map(transferRow(postMessage.rate)),
    ['to a reader thread, postMessage each', millions(postMessage.rate), '', ''],
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((cells) => cells[column].length)));
  for (const [what, middle, best, against] of rows) {
    const figures = `${middle.padStart(widths[1])}  ${best.padStart(widths[2])}`;
    console.log(`${what.padEnd(widths[0])}  ${figures}  ${against}`.trimEnd());
  }
};

const folder = mkdtempSync(join(tmpdir(), 'busbar-broker-'));
try {
  await bundlePrograms(here, ['measure', 'writer-thread'], folder);
  const flags = ['--single-threaded-gc', join(folder, 'measure.mjs')];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  const results = JSON.parse(stdout);
  print(results);
  if (results.transfer.some(({ unaccounted }) => unaccounted > 0)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
