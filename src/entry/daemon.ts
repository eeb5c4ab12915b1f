import { setFlagsFromString } from 'node:v8';
import { restoreWorkerFlags } from '../link/engine-flags.ts';
import { runProgram } from './program.ts';

// Started by the CLI. The bench thread runs a separate program with its own V8 flags: with
// strict deadlines, all functions are compiled at load. Otherwise a function is compiled at its
// first call, unless it is in the code cache.
restoreWorkerFlags();
if (process.argv.includes('--realtime')) {
  setFlagsFromString('--no-lazy');
  require('./bench.cjs');
  setFlagsFromString('--lazy');
} else {
  runProgram('bench');
}
