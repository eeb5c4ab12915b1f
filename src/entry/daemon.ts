import { createRequire } from 'node:module';
import { compilingAtOnce } from '../link/engine-flags.ts';

// Started by the CLI. What the bench thread runs is a program of its own, so that it can be told how V8
// is to compile it.
const load = createRequire(process.argv[1] ?? '');
const run = (): void => void load('./bench.cjs');
if (process.argv.includes('--realtime')) compilingAtOnce(run);
else run();
