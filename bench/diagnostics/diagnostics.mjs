// Diagnostic links on the virtual bench with the real clock: how soon a caller has a response,
// how well STmin is kept, and how much longer a download takes than its frames.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundlePrograms } from '../bundle.mjs';

const limits = { readUs: 1000, gapUs: 200, download: 1.1 };
const folder = mkdtempSync(join(tmpdir(), 'busbar-diagnostics-'));
try {
  await bundlePrograms(import.meta.dirname, ['measure'], folder);
  const measured = JSON.parse(
    execFileSync(process.execPath, [join(folder, 'measure.mjs')], { encoding: 'utf8' }),
  );
  const { readP99Us, stMinUs, gapLeastUs, gapP99Us, durationUs, busyUs } = measured;
  const late = gapP99Us - stMinUs;
  const ratio = durationUs / busyUs;
  console.log(
    `read of one DID: p99 ${readP99Us.toFixed(0)} µs after the last frame (limit ${limits.readUs})`,
  );
  console.log(
    `STmin ${stMinUs} µs: least gap ${gapLeastUs.toFixed(0)} µs, p99 ${late.toFixed(0)} µs more (limit ${limits.gapUs})`,
  );
  console.log(
    `download of 1 MiB: ${(durationUs / 1e6).toFixed(2)} s, ${ratio.toFixed(3)} times its frames (limit ${limits.download})`,
  );
  const isGood =
    readP99Us <= limits.readUs &&
    gapLeastUs >= stMinUs - 1 &&
    late <= limits.gapUs &&
    ratio <= limits.download;
  if (!isGood) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
