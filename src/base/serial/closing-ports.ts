/**
 * Serial ports that this process has released, and that a thread of the pool has not closed yet. The next
 * owner of the same port has to wait for that: it is still locked.
 */
const closing = new Map<Promise<void>, string>();

/** `closed` ends when the port of that path is free; it never fails. */
export const portCloses = (path: string, closed: Promise<void>): void => {
  closing.set(closed, path);
  void closed.then(() => closing.delete(closed));
};

/** Until no former owner of that path still has it. */
export const portIsClosed = async (path: string): Promise<void> => {
  for (const [closed, each] of closing) if (each === path) await closed;
};

/** Until all that were released are closed. */
export const portsAreClosed = async (): Promise<void> => {
  await Promise.all(closing.keys());
};
