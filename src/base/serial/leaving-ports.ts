/**
 * Serial ports that this process has let go, and that a thread of the pool has not closed yet. Whoever
 * opens the same port next has to wait for that: it is still locked.
 */
const leaving = new Map<Promise<void>, string>();

/** `left` ends when the port of that path is free; it never fails. */
export const portLeaves = (path: string, left: Promise<void>): void => {
  leaving.set(left, path);
  void left.then(() => leaving.delete(left));
};

/** Until nobody who has let go of that path before still has it. */
export const portIsLeft = async (path: string): Promise<void> => {
  for (const [left, each] of leaving) if (each === path) await left;
};

/** Until all that were let go are closed. */
export const portsAreLeft = async (): Promise<void> => {
  await Promise.all(leaving.keys());
};
