import { parentPort, workerData } from 'node:worker_threads';
import { runClientThread } from '../daemon/compose/client-thread.ts';

if (parentPort) void runClientThread(parentPort, workerData);
