import type { SerialSettings } from '../../base/serial/serial-settings.ts';
import {
  type OptionFlaws,
  readSerialAddress,
  serialAddressFlaw,
} from '../serial-device/serial-address.ts';

/** Where an adapter is, as the bench file has it: `/dev/ttyACM0` or `/dev/ttyUSB0,baud=57600`. */
export interface SlcanAddress {
  /** As it was written. */
  readonly text: string;
  /** The name of the serial port. */
  readonly named: string;
  readonly settings: SerialSettings;
  /** Its firmware answers something; if not, it cannot be told from a port with nothing behind it. */
  readonly answers: boolean;
}

/** What adapters on a real serial line mostly have; on USB the rate means nothing. */
const defaultBaudRate = 115_200;
const baudRates = { min: 300, max: 4_000_000 } as const;

const optionFlaws: OptionFlaws = {
  baud: (value) =>
    /^\d{1,9}$/.test(value) && Number(value) >= baudRates.min && Number(value) <= baudRates.max
      ? undefined
      : `has a baud that is not from ${baudRates.min} to ${baudRates.max}`,
  answers: (value) =>
    value === 'yes' || value === 'no' ? undefined : 'has an answers that is not yes or no',
};

/** What is wrong with an address; undefined if nothing is. */
export const slcanAddressFlaw = (text: string): string | undefined =>
  serialAddressFlaw(text, '/dev/ttyACM0 or /dev/ttyUSB0,baud=57600', optionFlaws);

/** Reads an address that has no flaw. */
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
