/** Waits until it is so, while the time of the test stands still. */
export const settled = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((done) => setImmediate(done));
};
