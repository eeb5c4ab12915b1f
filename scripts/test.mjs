// npm test [-- --slowest] [arguments of vitest]: everything that must hold, from a fresh clone.
import { installPeers } from './peers.mjs';
import { makeReady, runBeside, statusOf } from './ready.mjs';
import { passesInTheEnd } from './second-run.mjs';

const options = process.argv
  .slice(2)
  .map((option) => (option === '--slowest' ? '--reporter=./scripts/slowest-files.mjs' : option));

/** Those that need no interface of the machine's kernel, unless the caller names some. */
const projects = options.some((option) => option.startsWith('--project'))
  ? []
  : ['--project=!socketcan'];

/** What a type check found is kept, so that the next one looks at changed files alone. */
const typeCheck = (project) => [
  '--noEmit',
  '--incremental',
  '--tsBuildInfoFile',
  `node_modules/.cache/tsc/${project}.tsbuildinfo`,
];

await makeReady();
await installPeers();
await runBeside([
  ['npx', '--no-install', 'biome', 'check', '.'],
  ['npx', '--no-install', 'tsc', ...typeCheck('busbar')],
  ['npx', '--no-install', 'tsc', '-p', 'console', ...typeCheck('console')],
]);
const vitest = ['--no-install', 'vitest', 'run', '--reporter=default', ...projects, ...options];
const passed = await passesInTheEnd((more, env) => statusOf('npx', [...vitest, ...more], env));
process.exitCode = passed ? 0 : 1;
