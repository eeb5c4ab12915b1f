const signals = ['SIGINT', 'SIGTERM'] as const;

export const onInterruption = (callback: () => void): (() => void) => {
  for (const signal of signals) process.on(signal, callback);
  return () => {
    for (const signal of signals) process.off(signal, callback);
  };
};
