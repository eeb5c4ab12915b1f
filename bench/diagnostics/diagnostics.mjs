// Diagnostic links on the virtual bench with the real clock: how soon a caller has a response, how
// well STmin is kept in a daemon in real time, and how much longer a download takes than its frames.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundlePrograms } from '../bundle.mjs';
import { measureStMin } from './st-min.mjs';

const limits = { readUs: 1000, gapUs: 200, download: 1.1 };
const folder = mkdtempSync(join(tmpdir(), 'busbar-diagnostics-'));
const judge = (isMet) => {
  if (!isMet) process.exitCode = 1;
  return isMet ? '' : ', beyond it';
};
const shown = (us) => us.toFixed(0);
try {
  await bundlePrograms(import.meta.dirname, ['measure'], folder);
  const measured = JSON.parse(
    execFileSync(process.execPath, [join(folder, 'measure.mjs')], { encoding: 'utf8' }),
  );
  const { granted, count, readUs, heardUs, durationUs, busyUs } = measured;
  if (!granted) console.log('real-time scheduling was refused');
  const p99 = readUs[1];
  console.log(
    `read of one DID, ${count} times, after the last frame: p50, p99 and worst ${readUs.map(shown).join(', ')} µs, of which ${heardUs.map(shown).join(', ')} until the frame is read; p99 ${(p99 / limits.readUs).toFixed(2)} of the limit${judge(p99 <= limits.readUs)}, ${(p99 / heardUs[1]).toFixed(2)} times that part`,
  );
  const ratio = durationUs / busyUs;
  console.log(
    `download of 1 MiB: ${(durationUs / 1e6).toFixed(2)} s, ${ratio.toFixed(3)} times its frames, limit ${limits.download}${judge(ratio <= limits.download)}`,
  );
} finally {
  rmSync(folder, { recursive: true });
}
const { stMinUs, count, least, late, taskP99, missing } = await measureStMin();
const [p50, p99, worst] = late;
console.log(
  `STmin ${stMinUs} µs, ${count} gaps: least ${shown(least)} µs${judge(least >= stMinUs - 1)}; p50 ${shown(p50)} µs more, p99 ${shown(p99)}, worst ${shown(worst)}; p99 ${(p99 / limits.gapUs).toFixed(2)} of the limit${judge(p99 <= limits.gapUs)}, ${(p99 / taskP99).toFixed(2)} times the lateness of a task (${shown(taskP99)} µs); clients miss ${missing} frames`,
);
