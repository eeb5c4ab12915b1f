import { parentPort } from 'node:worker_threads';
import { runDecoderThread } from '../daemon/compose/decoder-thread.ts';

if (parentPort) runDecoderThread(parentPort);
