import { parentPort, workerData } from 'node:worker_threads';
import { runLoaderThread } from '../daemon/compose/loader-thread.ts';

if (parentPort) void runLoaderThread(parentPort, workerData);
