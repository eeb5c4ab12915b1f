import tableText from 'busbar:cli-table';
import descriptionsText from 'busbar:descriptions';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { SystemClock } from '../base/clock/system-clock.ts';
import { runCli } from '../cli/main.ts';
import { DescriptorOutput } from '../cli/output.ts';

runCli({
  argv: process.argv.slice(2),
  env: process.env,
  workingDirectory: process.cwd(),
  distribution: join(realpathSync(process.argv[1] ?? ''), '..', '..', 'dist'),
  table: JSON.parse(tableText),
  descriptions: () => JSON.parse(descriptionsText),
  clock: new SystemClock(),
  stdout: new DescriptorOutput(1),
  stderr: new DescriptorOutput(2),
}).then((code) => {
  process.exitCode = code;
});
