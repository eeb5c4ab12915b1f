import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * V8 flags of all threads. A parallel collector would stop the bench thread for other threads'
 * garbage.
 */
const sharedFlags = ['--single-threaded-gc'];

/**
 * Flags for the bench thread, which is the main thread. V8 reads them when it sets up the heap.
 * The memory reducer would collect everything shortly after startup and stop the thread for ten
 * milliseconds. The young generation has its minimum size, because V8 would otherwise resize it
 * at every collection. The old generation is large enough that starting many instances triggers
 * no full collection.
 */
const benchFlags = [
  '--no-memory-reducer',
  '--min-semi-space-size=1',
  '--max-semi-space-size=1',
  '--initial-old-space-size=64',
];

const maxOptimizingThreads = 4;

/**
 * V8's optimizing threads: one fewer than the processors, so the bench thread does not wait for
 * them.
 */
export const optimizingThreads = (processors: number): number =>
  Math.min(Math.max(processors - 1, 1), maxOptimizingThreads);

const workerFlags = [
  '--memory-reducer',
  '--min-semi-space-size=0',
  '--max-semi-space-size=0',
  '--initial-old-space-size=0',
];

export const engineFlags: readonly string[] = [
  ...sharedFlags,
  ...benchFlags,
  `--v8-pool-size=${optimizingThreads(availableParallelism())}`,
];

/**
 * Limits the bench thread's flags to that thread. V8 accepts precompiled code only with the
 * flags it was compiled with.
 */
export const restoreWorkerFlags = (): void => {
  for (const flag of workerFlags) setFlagsFromString(flag);
};

/**
 * A frame passes many small functions. By default V8 inlines only the first few, and the calls
 * take an eighth of the time.
 */
const inlining = '--max-inlined-bytecode-size-cumulative=4000';

export const lateFlags: readonly string[] = [...sharedFlags, inlining, '--no-flush-bytecode'];

export const inlineMore = (): void => setFlagsFromString(inlining);

/**
 * Applies to all threads once they are loaded, because with these flags V8 rejects precompiled
 * code, including Node's. Without them, V8 drops unused code and compiles it again at the next
 * deadline that needs it.
 */
export const keepCompiledCode = (): void => {
  inlineMore();
  setFlagsFromString('--no-flush-bytecode');
};

let collect: ((options?: { readonly type: 'minor' }) => void) | undefined;

const collector = (): NonNullable<typeof collect> => {
  if (!collect) {
    // Set only briefly, since V8 rejects precompiled code with this flag.
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as NonNullable<typeof collect>;
    setFlagsFromString('--no-expose-gc');
  }
  return collect;
};

export const collectGarbage = (): void => collector()();

export const collectYoungGarbage = (): void => collector()({ type: 'minor' });
