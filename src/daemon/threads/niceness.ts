import { niceThisThread } from '../../base/native/this-thread.ts';
import type { ThreadName } from './supervisor.ts';

/** Threads that stand back. The loader does not: the bench thread waits for it. */
type NicedThread = Exclude<ThreadName, 'loader'>;

/** How far each of them stands back behind deadlines. */
const niceness: Readonly<Record<NicedThread, number>> = {
  // Before clients, which can ask again.
  recorder: 3,
  client: 5,
  // Clients that wait for other things come first.
  builder: 10,
};

/** Gives the calling thread its place behind those that are more urgent. */
export const takeNiceness = (thread: NicedThread): void => {
  niceThisThread(niceness[thread]);
};
