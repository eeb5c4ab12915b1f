/**
 * Counters below 2^53 in shared memory. Each is two 32-bit words: the low half, which is counted in,
 * and a coarse one that follows it in strides of 2^30. A BigInt would hold the count in one word, but
 * every atomic operation on it makes an object, and the garbage of ten thousand frames stops the
 * thread that keeps deadlines for a tenth of a millisecond or more.
 *
 * The coarse word only says where to look for the low one, so it may lag or lead by a whole stride:
 * the two need not be read or written as one. The thread that counts next mends what a killed thread left.
 */
const stride = 2 ** 30;

/** The number with these low 32 bits that lies nearest to another one. */
export const nearest = (reference: number, low: number): number =>
  reference + ((low - (reference | 0)) | 0);

export const readCounter = (words: Int32Array, index: number): number =>
  nearest(Atomics.load(words, index + 1) * stride, Atomics.load(words, index));

/** Adds to a counter and gives what it was before. One atomic read-modify-write of the low word. */
export const advanceCounter = (words: Int32Array, index: number, count: number): number => {
  // Plain: 32-bit words do not tear, and a stale one is as good within a stride.
  const coarse = words[index + 1] as number;
  const before = nearest(coarse * stride, Atomics.add(words, index, count));
  if (before + count >= (coarse + 1) * stride) raise(words, index + 1, before + count);
  return before;
};

/** Sets a counter that no other thread uses yet. */
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
