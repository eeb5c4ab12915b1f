const signals = ['SIGINT', 'SIGTERM'] as const;

/** Handles interruption; returns how to stop. */
export const onInterruption = (callback: () => void): (() => void) => {
  for (const signal of signals) process.on(signal, callback);
  return () => {
    for (const signal of signals) process.off(signal, callback);
  };
};
