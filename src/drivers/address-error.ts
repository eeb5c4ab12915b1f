import { linUartAddressError } from './lin-uart/lin-uart-address.ts';
import { slcanAddressError } from './slcan/slcan-port.ts';

type AddressError = (address: string) => string | undefined;

/** Drivers whose address syntax can be checked. Other drivers fail when they search. */
const errorsOf: Readonly<Record<string, AddressError>> = {
  'lin-uart': linUartAddressError,
  slcan: slcanAddressError,
};

export const addressError = (driver: string, address: string): string | undefined =>
  Object.hasOwn(errorsOf, driver) ? errorsOf[driver]?.(address) : undefined;
