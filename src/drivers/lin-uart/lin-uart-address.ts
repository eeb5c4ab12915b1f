import {
  type OptionErrors,
  readSerialAddress,
  serialAddressError,
} from '../serial-device/serial-address.ts';

/** Sends a break by holding the line low, or by a zero at a lower baud rate. */
export const breakMethods = ['hold', 'baud'] as const;
export type BreakMethod = (typeof breakMethods)[number];

export interface LinUartAddress {
  readonly named: string;
  readonly breakMethod: BreakMethod;
  /** The adapter echoes sent bytes, as nearly all transceivers do. */
  readonly echoes: boolean;
  readonly slackUs: number;
}

/** Latency of a low-latency USB adapter on a busy machine. */
const defaultSlackMs = 10;
const slackMs = { min: 1, max: 500 } as const;

const optionErrors: OptionErrors = {
  break: (value) =>
    breakMethods.some((method) => method === value)
      ? undefined
      : `has a break other than ${breakMethods.join(' or ')}`,
  echo: (value) =>
    value === 'on' || value === 'off' ? undefined : 'has an echo other than on or off',
  slack_ms: (value) =>
    /^\d{1,3}$/.test(value) && Number(value) >= slackMs.min && Number(value) <= slackMs.max
      ? undefined
      : `has a slack_ms outside ${slackMs.min} to ${slackMs.max}`,
};

export const linUartAddressError = (text: string): string | undefined =>
  serialAddressError(text, '/dev/ttyUSB0 or /dev/ttyUSB0,break=baud', optionErrors);

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
