/** How a port makes breaks: by holding its line, or by a zero at a lower baud rate. */
export const breakMethods = ['hold', 'baud'] as const;
export type BreakMethod = (typeof breakMethods)[number];

/** Where an adapter is and what it is like, as the bench file has it. */
export interface LinUartAddress {
  /** The name of its serial port. */
  readonly named: string;
  readonly breakMethod: BreakMethod;
  /** It hands back what it sends, as the wire makes it; nearly all transceivers do. */
  readonly echoes: boolean;
  /** How much later than on the wire bytes may be seen. */
  readonly slackUs: number;
}

/** What the latency of a USB adapter that can be told to hurry, and a busy machine, come to. */
const defaultSlackMs = 10;
const slackMs = { min: 1, max: 500 } as const;

const optionFlaws: Readonly<Record<string, (value: string) => string | undefined>> = {
  break: (value) =>
    breakMethods.some((method) => method === value)
      ? undefined
      : `has a break that is not ${breakMethods.join(' or ')}`,
  echo: (value) =>
    value === 'on' || value === 'off' ? undefined : 'has an echo that is not on or off',
  slack_ms: (value) =>
    /^\d{1,3}$/.test(value) && Number(value) >= slackMs.min && Number(value) <= slackMs.max
      ? undefined
      : `has a slack_ms that is not from ${slackMs.min} to ${slackMs.max}`,
};

const optionsOf = (texts: readonly string[]): [string, string][] =>
  texts.map((text) => {
    const [key = '', ...value] = text.split('=');
    return [key, value.join('=')];
  });

/** What is wrong with an address; undefined if nothing is. */
export const linUartAddressFlaw = (text: string): string | undefined => {
  const [named = '', ...options] = text.split(',');
  if (!named.startsWith('/')) {
    return 'must be the path of a serial port, as in /dev/ttyUSB0 or /dev/ttyUSB0,break=baud';
  }
  const seen = new Set<string>();
  for (const [key, value] of optionsOf(options)) {
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

/** Reads an address that has no flaw. */
export const parseLinUartAddress = (text: string): LinUartAddress => {
  const [named = text, ...texts] = text.split(',');
  const options = new Map(optionsOf(texts));
  return {
    named,
    breakMethod: options.get('break') === 'baud' ? 'baud' : 'hold',
    echoes: options.get('echo') !== 'off',
    slackUs: Number(options.get('slack_ms') ?? defaultSlackMs) * 1000,
  };
};
