import tableText from 'busbar:cli-table';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { SystemClock } from '../base/clock/system-clock.ts';
import { runCli } from '../cli/main.ts';
import { DescriptorOutput } from '../cli/output.ts';

// What is loaded later takes its errors from here, so that all know each other's.
export * from '../base/errors/busbar-error.ts';

runCli({
  argv: process.argv.slice(2),
  env: process.env,
  workingDirectory: process.cwd(),
  distribution: join(realpathSync(process.argv[1] ?? ''), '..', '..', 'dist'),
  table: JSON.parse(tableText),
  descriptions: async () => (await import('./cli-descriptions.ts')).readDescriptions(),
  clock: new SystemClock(),
  stdout: new DescriptorOutput(1),
  stderr: new DescriptorOutput(2),
}).then((code) => {
  // Everything is written by now; taking the link down in order would only take time.
  process.exit(code);
});
