// npm test [-- --slowest] [arguments of vitest]: runs all checks from a fresh clone. npm run
// test:long: runs the tests and cases that `npm test` has no time for.
import { installPeers } from './peers.mjs';
import { buildProduct, endOf, installPackages, startBeside } from './ready.mjs';
import { passesInTheEnd } from './second-run.mjs';

const given = process.argv.slice(2);
const isLong = given.includes('--long');
const options = given
  .filter((option) => option !== '--long')
  .map((option) => (option === '--slowest' ? '--reporter=./scripts/slowest-files.mjs' : option));

/** All projects that need no kernel interfaces, unless the caller names some. */
const projects = options.some((option) => option.startsWith('--project'))
  ? []
  : ['--project=!socketcan'];

/** Incremental type checks read only changed files. */
const typeCheck = (project) => [
  '--noEmit',
  '--incremental',
  '--tsBuildInfoFile',
  `node_modules/.cache/tsc/${project}.tsbuildinfo`,
];

// Downloads and unpacks while this process installs, builds and checks.
const peers = installPeers();
await installPackages();
// The build and the tests leave processors free for a fifth of their time.
const endChecks = startBeside(
  isLong
    ? []
    : [
        ['npx', '--no-install', 'biome', 'check', '.'],
        ['node', 'scripts/check-words.mjs'],
        ['npx', '--no-install', 'tsc', ...typeCheck('busbar')],
        ['npx', '--no-install', 'tsc', '-p', 'console', ...typeCheck('console')],
      ],
);
await buildProduct();
// Ctrl-C reaches the tests too; their end is awaited.
process.on('SIGINT', () => {});
await peers;
const vitest = ['--no-install', 'vitest', 'run', '--reporter=default', ...projects, ...options];
const long = isLong ? { BUSBAR_TEST_LONG: '1' } : {};
const passed = await passesInTheEnd((more, env) =>
  endOf('npx', [...vitest, ...more], { ...long, ...env }),
);
const areSound = await endChecks();
process.exitCode = passed && areSound ? 0 : 1;
