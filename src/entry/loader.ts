import { parentPort, workerData } from 'node:worker_threads';
import { runLoaderThread } from '../daemon/compose/loader-thread.ts';

if (parentPort) runLoaderThread(parentPort, workerData);
