import type { SerialSettings } from '../../base/serial/serial-settings.ts';

/** Where an adapter is, as the bench file has it: `/dev/ttyACM0` or `/dev/ttyUSB0,baud=57600`. */
export interface SlcanAddress {
  /** As it was written. */
  readonly text: string;
  /** The name of the serial port. */
  readonly named: string;
  readonly settings: SerialSettings;
}

/** What adapters on a real serial line mostly have; on USB the rate means nothing. */
const defaultBaudRate = 115_200;
const baudRates = { min: 300, max: 4_000_000 } as const;

const pattern = /^([^,]+)(?:,baud=(\d{1,9}))?$/;

/** What is wrong with an address; undefined if nothing is. */
export const slcanAddressFlaw = (text: string): string | undefined => {
  const [, named = '', baudRate] = pattern.exec(text) ?? [];
  if (!named.startsWith('/')) {
    return 'must be the path of a serial port, as in /dev/ttyACM0 or /dev/ttyUSB0,baud=57600';
  }
  const rate = baudRate === undefined ? defaultBaudRate : Number(baudRate);
  if (rate >= baudRates.min && rate <= baudRates.max) return undefined;
  return `has a baud that is not from ${baudRates.min} to ${baudRates.max}`;
};

export const parseSlcanAddress = (text: string): SlcanAddress => {
  const [, named = text, baudRate] = pattern.exec(text) ?? [];
  return {
    text,
    named,
    settings: {
      baudRate: Number(baudRate ?? defaultBaudRate),
      dataBits: 8,
      parity: 'none',
      stopBits: 1,
    },
  };
};
