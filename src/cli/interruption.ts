const signals = ['SIGINT', 'SIGTERM'] as const;

/** Calls back instead of ending when the process is interrupted; returns how to stop that. */
export const onInterruption = (callback: () => void): (() => void) => {
  for (const signal of signals) process.on(signal, callback);
  return () => {
    for (const signal of signals) process.off(signal, callback);
  };
};
