/** Waits for a condition without advancing the test clock. */
export const settled = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((done) => setImmediate(done));
};
