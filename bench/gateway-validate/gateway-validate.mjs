// Time to validate a gateway project compared with JSON.parse of the same file, and whether
// twice the rows take twice the time: a quadratic rule would take four times. Usage: node
// bench/gateway-validate/gateway-validate.mjs [rows]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundlePrograms } from '../bundle.mjs';

const here = import.meta.dirname;
const rows = Number(process.argv[2] ?? 500_000);
const growthLimit = 3;
const ratioLimit = 8;

const folder = mkdtempSync(join(tmpdir(), 'busbar-validate-'));
try {
  await bundlePrograms(here, ['measure'], folder);
  const program = join(folder, 'measure.mjs');
  const measure = (name, count) => {
    const answer = execFileSync(process.execPath, [program, name, String(count)], {
      encoding: 'utf8',
    });
    return JSON.parse(answer);
  };
  for (const name of ['plant', 'chain', 'pages', 'faulty']) {
    const half = measure(name, rows / 2);
    const whole = measure(name, rows);
    const growth = whole.validate / half.validate;
    const ratio = whole.validate / whole.parse;
    const isMissed = growth > growthLimit || ratio > ratioLimit;
    console.log(
      `${name.padEnd(8)} ${(whole.bytes / 1e6).toFixed(0)} MB, ${whole.problems} problems: ` +
        `read ${whole.read.toFixed(0)} ms, validated ${whole.validate.toFixed(0)} ms, ` +
        `${ratio.toFixed(1)}× JSON.parse (limit ${ratioLimit}×), ` +
        `${growth.toFixed(1)}× half the rows (limit ${growthLimit}×)${isMissed ? ', missed' : ''}`,
    );
    if (isMissed) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}
