import { linUartAddressError } from './lin-uart/lin-uart-address.ts';
import { slcanAddressError } from './slcan/slcan-address.ts';

type AddressError = (address: string) => string | undefined;

/** Drivers that can check the spelling; others find out when they search. */
const errorsOf: Readonly<Record<string, AddressError>> = {
  'lin-uart': linUartAddressError,
  slcan: slcanAddressError,
};

/** Problem in the spelling of an address, or undefined. */
export const addressError = (driver: string, address: string): string | undefined =>
  Object.hasOwn(errorsOf, driver) ? errorsOf[driver]?.(address) : undefined;
