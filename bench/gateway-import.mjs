// Imports databases, of folders or generated, to receive and to send, validates the projects,
// and compares their codecs with signal plans. Usage: node bench/gateway-import.mjs
// [--generated=2000] [--frames=20] [folder…]

import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadSource } from '../scripts/load-source.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    generated: { type: 'string', default: '2000' },
    frames: { type: 'string', default: '20' },
  },
});

const { checkFiles, checkGenerated } = await loadSource('bench/gateway-import/check-files.ts');

const databasesIn = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => /\.dbc$/i.test(name))
    .map((name) => join(folder, name))
    .sort();

const maxShown = 20;
const show = (what, lines) => {
  if (lines.length === 0) return;
  console.log(`  ${what}: ${lines.length}`);
  for (const line of lines.slice(0, maxShown)) console.log(`    ${line}`);
};

const report = (title, { rx, tx, unreadable, failures }) => {
  console.log(title);
  for (const [direction, totals] of [
    ['received', rx],
    ['sent', tx],
  ]) {
    const { databases, empty, messages, signals, omitted, refused, frames, values, rounded } =
      totals;
    console.log(
      `  ${direction}: ${databases} databases (${empty} without anything to import), ${messages} messages, ` +
        `${signals} signals; ${omitted} omitted, ${refused} refused`,
    );
    console.log(
      `    ${frames} frames, ${values} values compared (${rounded} of scales with more digits than a double), ` +
        `${totals.differences.length} differ`,
    );
    show('differences', totals.differences);
    if (totals.differences.length > 0) process.exitCode = 1;
  }
  show('not importable', unreadable);
  show('failed', failures);
  if (failures.length > 0) process.exitCode = 1;
};

const frames = Number(options.frames);
for (const folder of positionals) {
  const paths = databasesIn(resolve(folder));
  report(`${folder}: ${paths.length} files`, checkFiles(paths, frames));
}
const generated = Number(options.generated);
if (generated > 0) report(`${generated} generated databases`, checkGenerated(generated, frames));
