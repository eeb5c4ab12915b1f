// npm test [-- --slowest] [arguments of vitest]: everything that must hold, from a fresh clone.
// npm run test:long: the test files that have more cases than `npm test` has time for, with all of them.
import { installPeers } from './peers.mjs';
import { makeReady, runBeside, statusOf } from './ready.mjs';
import { passesInTheEnd } from './second-run.mjs';

const given = process.argv.slice(2);
const isLong = given.includes('--long');
const options = given
  .filter((option) => option !== '--long')
  .map((option) => (option === '--slowest' ? '--reporter=./scripts/slowest-files.mjs' : option));

/** Those that need no interface of the machine's kernel, unless the caller names some. */
const projects = options.some((option) => option.startsWith('--project'))
  ? []
  : ['--project=!socketcan'];

/** The outcome of a type check is kept, so that the next one only looks at changed files. */
const typeCheck = (project) => [
  '--noEmit',
  '--incremental',
  '--tsBuildInfoFile',
  `node_modules/.cache/tsc/${project}.tsbuildinfo`,
];

await makeReady();
await installPeers();
if (!isLong)
  await runBeside([
    ['npx', '--no-install', 'biome', 'check', '.'],
    ['node', 'scripts/check-words.mjs'],
    ['npx', '--no-install', 'tsc', ...typeCheck('busbar')],
    ['npx', '--no-install', 'tsc', '-p', 'console', ...typeCheck('console')],
  ]);
const vitest = ['--no-install', 'vitest', 'run', '--reporter=default', ...projects, ...options];
const long = isLong ? { BUSBAR_TEST_LONG: '1' } : {};
const passed = await passesInTheEnd((more, env) =>
  statusOf('npx', [...vitest, ...more], { ...long, ...env }),
);
process.exitCode = passed ? 0 : 1;
