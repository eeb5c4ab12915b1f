import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Flags of V8 that all threads of the daemon have. A parallel collector would stop the bench thread
 * for as long as another thread makes garbage.
 */
const sharedFlags = ['--single-threaded-gc'];

/**
 * Flags for the bench thread, which is the main thread: V8 reads them when it sets up the heap of a
 * thread. The memory reducer would collect everything some seconds after the start, and stop the
 * thread for ten milliseconds. Young objects have the least room there is, because V8 gives back
 * what is more than that and takes it again, with every collection where little is allocated. Old ones
 * have so much that the start of many instances does not make V8 collect them all.
 */
const benchFlags = [
  '--no-memory-reducer',
  '--min-semi-space-size=1',
  '--max-semi-space-size=1',
  '--initial-old-space-size=64',
];

/** As many as Node starts by itself. */
const maxOptimizingThreads = 4;

/**
 * Threads in which V8 optimizes code. For seconds after something new begins they are busier than the
 * bench thread: with as many of them as processors it would wait behind them, so one is left to it.
 */
export const optimizingThreads = (processors: number): number =>
  Math.min(Math.max(processors - 1, 1), maxOptimizingThreads);

/** What V8 does by itself, for the threads that are started next. */
const workerFlags = [
  '--memory-reducer',
  '--min-semi-space-size=0',
  '--max-semi-space-size=0',
  '--initial-old-space-size=0',
];

/** What the daemon is started with; on the command line, since its main thread is set up by them. */
export const engineFlags: readonly string[] = [
  ...sharedFlags,
  ...benchFlags,
  `--v8-pool-size=${optimizingThreads(availableParallelism())}`,
];

/**
 * Keeps the flags of the bench thread from the threads that it starts. V8 takes code that was compiled
 * beforehand, Node's own as well as ours, only where its flags are those it was compiled with.
 */
export const restoreWorkerFlags = (): void => {
  for (const flag of workerFlags) setFlagsFromString(flag);
};

/**
 * What happens with a frame are many small functions, of which V8 by itself would inline the first few:
 * calls of the rest cost an eighth of the time.
 */
const inlining = '--max-inlined-bytecode-size-cumulative=4000';

/** What threads have that are started when the others are loaded. */
export const lateFlags: readonly string[] = [...sharedFlags, inlining, '--no-flush-bytecode'];

/** For all threads, and only for what V8 optimizes from now on. */
export const inlineMore = (): void => setFlagsFromString(inlining);

/**
 * For all threads, once they are loaded, because with these flags V8 takes no code that was compiled
 * beforehand, Node's own included. Code that was dropped because it was not used for a while would be
 * compiled again at the first deadline that needs it.
 */
export const keepCompiledCode = (): void => {
  inlineMore();
  setFlagsFromString('--no-flush-bytecode');
};

let collect: ((options?: { readonly type: 'minor' }) => void) | undefined;

/** V8's own function, of this thread. */
const collector = (): NonNullable<typeof collect> => {
  if (!collect) {
    // Only for a moment: with this flag, too, V8 takes no code that was compiled beforehand.
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as NonNullable<typeof collect>;
    setFlagsFromString('--no-expose-gc');
  }
  return collect;
};

/** Collects all garbage of this thread now. */
export const collectGarbage = (): void => collector()();

/** Collects what was allocated last in this thread, and moves what stays of it. */
export const collectYoungGarbage = (): void => collector()({ type: 'minor' });
