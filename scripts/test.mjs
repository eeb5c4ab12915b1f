// npm test [-- --slowest] [arguments of vitest]: everything that must hold, from a fresh clone.
import { installPeers } from './peers.mjs';
import { makeReady, run } from './ready.mjs';

const options = process.argv
  .slice(2)
  .flatMap((option) =>
    option === '--slowest'
      ? ['--reporter=default', '--reporter=./scripts/slowest-files.mjs']
      : [option],
  );

await makeReady();
await installPeers();
run('npx', ['--no-install', 'biome', 'check', '.']);
run(process.execPath, ['scripts/check-layers.mjs']);
run('npx', ['--no-install', 'tsc', '--noEmit']);
run('npx', ['--no-install', 'tsc', '--noEmit', '-p', 'console']);
run('npx', ['--no-install', 'vitest', 'run', ...options]);
