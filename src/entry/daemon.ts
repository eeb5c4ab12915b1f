import { setFlagsFromString } from 'node:v8';
import { restoreWorkerFlags } from '../link/engine-flags.ts';
import { runProgram } from './program.ts';

// Started by the CLI. What the bench thread runs is a program of its own, so that V8 can be told how to
// compile it: with strict deadlines all of it at once. Else it compiles each function when it is first
// called, unless a start has called it when Busbar was built.
restoreWorkerFlags();
if (process.argv.includes('--realtime')) {
  setFlagsFromString('--no-lazy');
  require('./bench.cjs');
  // For threads started later.
  setFlagsFromString('--lazy');
} else {
  runProgram('bench');
}
