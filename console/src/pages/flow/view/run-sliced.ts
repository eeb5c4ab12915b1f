/** Less than the time between two pictures, so that the page can be used meanwhile. */
const sliceMs = 8;

/** Lets events and pictures pass. */
const pause = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve));

/** Works a generator off in slices. Answers null if it is not wanted any more before it has ended. */
export const runSliced = async <T>(
  steps: Generator<void, T>,
  isWanted: () => boolean,
): Promise<T | null> => {
  for (;;) {
    const start = performance.now();
    while (performance.now() - start < sliceMs) {
      const step = steps.next();
      if (step.done) return isWanted() ? step.value : null;
    }
    await pause();
    if (!isWanted()) return null;
  }
};
