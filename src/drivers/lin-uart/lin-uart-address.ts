import {
  type OptionFlaws,
  readSerialAddress,
  serialAddressFlaw,
} from '../serial-device/serial-address.ts';

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

const optionFlaws: OptionFlaws = {
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

/** What is wrong with an address; undefined if nothing is. */
export const linUartAddressFlaw = (text: string): string | undefined =>
  serialAddressFlaw(text, '/dev/ttyUSB0 or /dev/ttyUSB0,break=baud', optionFlaws);

/** Reads an address that has no flaw. */
export const parseLinUartAddress = (text: string): LinUartAddress => {
  const { named, options: given } = readSerialAddress(text);
  const options = new Map(given);
  return {
    named,
    breakMethod: options.get('break') === 'baud' ? 'baud' : 'hold',
    echoes: options.get('echo') !== 'off',
    slackUs: Number(options.get('slack_ms') ?? defaultSlackMs) * 1000,
  };
};
