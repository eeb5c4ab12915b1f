import { parentPort, workerData } from 'node:worker_threads';
import { SystemClock } from '../base/clock/system-clock.ts';
import { runMetronome } from '../base/schedule/metronome-thread.ts';

if (parentPort) void runMetronome(parentPort, new SystemClock(workerData.unixOffsetUs));
