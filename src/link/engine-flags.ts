import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * V8 flags of all threads. A parallel collector would stop the bench thread for other threads'
 * garbage.
 */
const sharedFlags = ['--single-threaded-gc'];

/**
 * Flags for the bench thread, which is the main thread: V8 reads them when it sets up the heap of a
 * thread. The memory reducer would collect everything some seconds after the start, and stop the
 * thread for ten milliseconds. The young generation has its minimum size, because V8 would otherwise
 * shrink and grow it with every collection while little is allocated. The old generation is large enough
 * that the start of many instances does not trigger a full collection.
 */
const benchFlags = [
  '--no-memory-reducer',
  '--min-semi-space-size=1',
  '--max-semi-space-size=1',
  '--initial-old-space-size=64',
];

/** Node's default. */
const maxOptimizingThreads = 4;

/**
 * V8's optimizing threads: one less than the processors, so that the bench thread does not wait
 * for them.
 */
export const optimizingThreads = (processors: number): number =>
  Math.min(Math.max(processors - 1, 1), maxOptimizingThreads);

/** V8's defaults, for threads started next. */
const workerFlags = [
  '--memory-reducer',
  '--min-semi-space-size=0',
  '--max-semi-space-size=0',
  '--initial-old-space-size=0',
];

/** Flags of the daemon's command line, which configure its main thread. */
export const engineFlags: readonly string[] = [
  ...sharedFlags,
  ...benchFlags,
  `--v8-pool-size=${optimizingThreads(availableParallelism())}`,
];

/**
 * Keeps the bench thread's flags from other threads. V8 accepts precompiled code only with the
 * flags it was compiled with.
 */
export const restoreWorkerFlags = (): void => {
  for (const flag of workerFlags) setFlagsFromString(flag);
};

/**
 * A frame passes many small functions; without this V8 inlines only the first few, and calls
 * cost an eighth of the time.
 */
const inlining = '--max-inlined-bytecode-size-cumulative=4000';

/** Flags of threads started later. */
export const lateFlags: readonly string[] = [...sharedFlags, inlining, '--no-flush-bytecode'];

/** For all threads, for code optimized from now on. */
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

/** V8's collector of this thread. */
const collector = (): NonNullable<typeof collect> => {
  if (!collect) {
    // Briefly, since V8 rejects precompiled code with this flag.
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as NonNullable<typeof collect>;
    setFlagsFromString('--no-expose-gc');
  }
  return collect;
};

export const collectGarbage = (): void => collector()();

/** Collects young objects of this thread. */
export const collectYoungGarbage = (): void => collector()({ type: 'minor' });
