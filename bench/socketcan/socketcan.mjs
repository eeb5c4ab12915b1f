// Processor time of a frame through the SocketCAN driver, received and sent, compared with
// candump and python-can, and the rate of the first loss; in a machine whose kernel has
// SocketCAN. Usage: node bench/socketcan/socketcan.mjs [received] [sent] [losses] [latencies]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInVmOrSkip } from '../../scripts/run-in-vm.mjs';
import { bundlePrograms } from '../bundle.mjs';

const folder = mkdtempSync(join(tmpdir(), 'busbar-socketcan-bench-'));
try {
  await bundlePrograms(import.meta.dirname, ['measure'], folder);
  const command = [process.execPath, join(folder, 'measure.mjs'), ...process.argv.slice(2)];
  process.exitCode = await runInVmOrSkip('the benchmark of SocketCAN', command);
} finally {
  rmSync(folder, { recursive: true });
}
