import { invalidArgument } from '../../base/errors/busbar-error.ts';

/**
 * The 64-bit NAME of a node, from the most significant bit:
 *
 *     | arbitrary address 1 | industry group 3 | vehicle system instance 4 | vehicle system 7 |
 *     | reserved 1 | function 8 | function instance 5 | ECU instance 3 | manufacturer 11 | identity 21 |
 */
export interface NameFields {
  readonly identity: number;
  readonly manufacturer: number;
  readonly ecu_instance: number;
  readonly function_instance: number;
  readonly function: number;
  readonly vehicle_system: number;
  readonly vehicle_system_instance: number;
  readonly industry_group: number;
  readonly arbitrary_address: boolean;
}

const bits = (name: bigint, from: bigint, count: bigint): number =>
  Number((name >> from) & ((1n << count) - 1n));

export const nameFields = (name: bigint): NameFields => ({
  identity: bits(name, 0n, 21n),
  manufacturer: bits(name, 21n, 11n),
  ecu_instance: bits(name, 32n, 3n),
  function_instance: bits(name, 35n, 5n),
  function: bits(name, 40n, 8n),
  vehicle_system: bits(name, 49n, 7n),
  vehicle_system_instance: bits(name, 56n, 4n),
  industry_group: bits(name, 60n, 3n),
  arbitrary_address: isArbitrary(name),
});

export const isArbitrary = (name: bigint): boolean => bits(name, 63n, 1n) === 1;

export const nameBytes = 8;

/** In frames the least significant byte is first. */
export const nameAt = (bytes: Uint8Array, at: number): bigint => {
  let name = 0n;
  for (let i = nameBytes - 1; i >= 0; i--) name = (name << 8n) | BigInt(bytes[at + i] as number);
  return name;
};

export const bytesOfName = (name: bigint): Uint8Array =>
  Uint8Array.from({ length: nameBytes }, (_, i) => Number((name >> BigInt(8 * i)) & 0xffn));

/** 16 hex digits, most significant first. */
export const nameText = (name: bigint): string => name.toString(16).toUpperCase().padStart(16, '0');

export const namePattern = '^(?:0[xX])?[0-9A-Fa-f]{16}$';
export const nameForm = '16 hex digits, most significant first';

const written = new RegExp(namePattern);

/** NAME of a request; 0 is not a NAME. */
export const parseName = (text: string, field: string): bigint => {
  if (!written.test(text)) {
    throw invalidArgument(field, `${field} must be ${nameForm}`, { reason: 'pattern' });
  }
  const name = BigInt(`0x${text.replace(/^0x/i, '')}`);
  if (name === 0n) {
    throw invalidArgument(field, `${field} must not be 0`, { reason: 'out_of_range' });
  }
  return name;
};
