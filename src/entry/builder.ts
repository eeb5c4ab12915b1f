import { parentPort, workerData } from 'node:worker_threads';
import { runBuilderThread } from '../daemon/compose/builder-thread.ts';

if (parentPort) runBuilderThread(parentPort, workerData);
