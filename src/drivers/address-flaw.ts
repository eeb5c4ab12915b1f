import { linUartAddressFlaw } from './lin-uart/lin-uart-address.ts';
import { slcanAddressFlaw } from './slcan/slcan-address.ts';

type AddressFlaw = (address: string) => string | undefined;

/** Drivers that can check the spelling; others find out when they search. */
const flawsOf: Readonly<Record<string, AddressFlaw>> = {
  'lin-uart': linUartAddressFlaw,
  slcan: slcanAddressFlaw,
};

/** Problem in the spelling of an address, or undefined. */
export const addressFlaw = (driver: string, address: string): string | undefined =>
  Object.hasOwn(flawsOf, driver) ? flawsOf[driver]?.(address) : undefined;
