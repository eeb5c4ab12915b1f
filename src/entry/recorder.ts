import { parentPort, workerData } from 'node:worker_threads';
import { runRecorderThread } from '../daemon/compose/recorder-thread.ts';

if (parentPort) void runRecorderThread(parentPort, workerData);
