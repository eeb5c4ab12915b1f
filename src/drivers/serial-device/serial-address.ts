/** Checks of option values. Each returns a problem, or undefined if valid. */
export type OptionErrors = Readonly<Record<string, (value: string) => string | undefined>>;

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

export const serialAddressError = (
  text: string,
  example: string,
  optionErrors: OptionErrors,
): string | undefined => {
  const { named, options } = readSerialAddress(text);
  if (!named.startsWith('/')) return `must be the path of a serial port, such as ${example}`;
  const seen = new Set<string>();
  for (const [key, value] of options) {
    if (!Object.hasOwn(optionErrors, key)) {
      return `has an unknown option ${key}; known options: ${Object.keys(optionErrors).join(', ')}`;
    }
    if (seen.has(key)) return `has the option ${key} twice`;
    seen.add(key);
    const error = optionErrors[key]?.(value);
    if (error !== undefined) return error;
  }
  return undefined;
};
