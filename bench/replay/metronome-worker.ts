import { parentPort } from 'node:worker_threads';
import { SystemClock } from '../../src/base/clock/system-clock.ts';
import { runMetronome } from '../../src/base/schedule/metronome-thread.ts';

if (parentPort) void runMetronome(parentPort, new SystemClock());
