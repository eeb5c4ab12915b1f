/** Waits until it is so, while the time of the test stands still. */
export const settled = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((done) => setImmediate(done));
};
