/** Values by signal name: numbers, or labels of a value table. */
export type SignalValues = Readonly<Record<string, number | bigint | string>>;

const textOf = (name: string, value: number | bigint | string): string => {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new RangeError(`${name} needs a finite number, not ${value}`);
  }
  return String(value);
};

/** The API accepts values as text only. A number has its shortest decimal text. */
export const signalTexts = (signals: SignalValues): Record<string, string> =>
  Object.fromEntries(Object.entries(signals).map(([name, value]) => [name, textOf(name, value)]));
