import { dirname, join } from 'node:path';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { runClientThread } from '../daemon/compose/client-thread.ts';
import type { BuilderThreadData } from '../daemon/compose/thread-contracts.ts';

/** A project of the largest size needs less than half of it. */
const builderHeapMb = 2048;

const startBuilder = (data: BuilderThreadData): Worker =>
  new Worker(join(dirname(process.argv[1] ?? ''), 'builder.cjs'), {
    name: 'builder',
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: builderHeapMb },
  });

if (parentPort) void runClientThread(parentPort, workerData, startBuilder);
