/** Checks of option values; undefined if valid. */
export type OptionFlaws = Readonly<Record<string, (value: string) => string | undefined>>;

/** Serial port and options, such as `,baud=57600`. */
export interface SerialAddress {
  readonly named: string;
  readonly options: readonly (readonly [key: string, value: string])[];
}

export const readSerialAddress = (text: string): SerialAddress => {
  const [named = text, ...options] = text.split(',');
  return {
    named,
    options: options.map((option) => {
      const [key = '', ...value] = option.split('=');
      return [key, value.join('=')];
    }),
  };
};

export const serialAddressFlaw = (
  text: string,
  example: string,
  optionFlaws: OptionFlaws,
): string | undefined => {
  const { named, options } = readSerialAddress(text);
  if (!named.startsWith('/')) return `must be the path of a serial port, as in ${example}`;
  const seen = new Set<string>();
  for (const [key, value] of options) {
    if (!Object.hasOwn(optionFlaws, key)) {
      return `has an option ${key}; there are ${Object.keys(optionFlaws).join(', ')}`;
    }
    if (seen.has(key)) return `has the option ${key} twice`;
    seen.add(key);
    const flaw = optionFlaws[key]?.(value);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
};
