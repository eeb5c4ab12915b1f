import { linUartAddressFlaw } from './lin-uart/lin-uart-address.ts';
import { slcanAddressFlaw } from './slcan/slcan-address.ts';

/** What is wrong with an address; undefined if nothing is. */
type AddressFlaw = (address: string) => string | undefined;

/** Drivers that can tell by the spelling alone; the others find out when they look. */
const flawsOf: Readonly<Record<string, AddressFlaw>> = {
  'lin-uart': linUartAddressFlaw,
  slcan: slcanAddressFlaw,
};

/** What is wrong with the address of a device of that driver, as far as its spelling tells. */
export const addressFlaw = (driver: string, address: string): string | undefined =>
  Object.hasOwn(flawsOf, driver) ? flawsOf[driver]?.(address) : undefined;
