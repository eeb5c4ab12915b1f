import type { SerialSettings } from '../../base/serial/serial-settings.ts';
import {
  type OptionErrors,
  readSerialAddress,
  serialAddressError,
} from '../serial-device/serial-address.ts';

/** Address in the bench file: `/dev/ttyACM0` or `/dev/ttyUSB0,baud=57600`. */
export interface SlcanAddress {
  readonly text: string;
  readonly named: string;
  readonly settings: SerialSettings;
  /** False for silent firmware, which looks like an empty port. */
  readonly answers: boolean;
}

/** Usual rate of serial adapters. USB ignores it. */
const defaultBaudRate = 115_200;
const baudRates = { min: 300, max: 4_000_000 } as const;

const optionErrors: OptionErrors = {
  baud: (value) =>
    /^\d{1,9}$/.test(value) && Number(value) >= baudRates.min && Number(value) <= baudRates.max
      ? undefined
      : `has a baud outside ${baudRates.min} to ${baudRates.max}`,
  answers: (value) =>
    value === 'yes' || value === 'no' ? undefined : 'has an answers other than yes or no',
};

export const slcanAddressError = (text: string): string | undefined =>
  serialAddressError(text, '/dev/ttyACM0 or /dev/ttyUSB0,baud=57600', optionErrors);

export const parseSlcanAddress = (text: string): SlcanAddress => {
  const { named, options: given } = readSerialAddress(text);
  const options = new Map(given);
  const baudRate = Number(options.get('baud') ?? defaultBaudRate);
  return {
    text,
    named,
    settings: { baudRate, dataBits: 8, parity: 'none', stopBits: 1 },
    answers: options.get('answers') !== 'no',
  };
};
