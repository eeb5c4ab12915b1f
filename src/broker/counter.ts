/**
 * Counters below 2^53 in shared memory. Each has two 32-bit words: the low half, which is
 * incremented, and a coarse word that follows in strides of 2^30. A BigInt would need one word,
 * but every atomic operation on it allocates, and collecting that garbage can stop a real-time
 * thread for 0.1 ms or more. The coarse word only selects the stride of the low word, so it may
 * lag or lead by one, and the two words need no common atomic access. If a thread is killed
 * between the two writes, the next increment corrects the coarse word.
 */
const stride = 2 ** 30;

/** Returns the number nearest to `reference` with these low 32 bits. */
export const nearest = (reference: number, low: number): number =>
  reference + ((low - (reference | 0)) | 0);

export const readCounter = (words: Int32Array, index: number): number =>
  nearest(Atomics.load(words, index + 1) * stride, Atomics.load(words, index));

/** Adds to a counter with one atomic operation and returns its previous value. */
export const advanceCounter = (words: Int32Array, index: number, count: number): number => {
  // A plain read is enough: 32-bit words do not tear, and the coarse word may lag by one
  // stride.
  const coarse = words[index + 1] as number;
  const before = nearest(coarse * stride, Atomics.add(words, index, count));
  if (before + count >= (coarse + 1) * stride) raise(words, index + 1, before + count);
  return before;
};

export const startCounter = (words: Int32Array, index: number, value: number): void => {
  Atomics.store(words, index + 1, Math.floor(value / stride));
  Atomics.store(words, index, value | 0);
};

const raise = (words: Int32Array, index: number, value: number): void => {
  const wanted = Math.floor(value / stride);
  for (let seen = Atomics.load(words, index); seen < wanted; ) {
    const found = Atomics.compareExchange(words, index, seen, wanted);
    if (found === seen) return;
    seen = found;
  }
};
