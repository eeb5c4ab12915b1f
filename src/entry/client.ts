import { dirname } from 'node:path';
import { parentPort, type Worker, workerData } from 'node:worker_threads';
import { runClientThread } from '../daemon/compose/client-thread.ts';
import type { BuilderThreadData } from '../daemon/compose/thread-contracts.ts';
import { startThread } from './program.ts';

/** The largest project needs less than half. */
const builderHeapMb = 2048;

const programs = dirname(process.argv[1] ?? '');

const startBuilder = (data: BuilderThreadData): Worker =>
  startThread('builder', {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: builderHeapMb },
  });

if (parentPort) void runClientThread(parentPort, workerData, startBuilder, programs);
