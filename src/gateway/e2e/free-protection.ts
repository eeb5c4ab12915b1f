import type { E2eCodec } from '../project/tables/codecs.ts';
import { checksumOf } from './checksums.ts';
import type { Protection } from './protection.ts';
import { Uint64Field } from './uint64-field.ts';

type Field = Pick<NonNullable<E2eCodec['counter']>, 'start_bit' | 'bit_length' | 'byte_order'>;

const fieldOf = ({ start_bit, bit_length, byte_order }: Field): Uint64Field =>
  new Uint64Field({ startBit: start_bit, bitLength: bit_length, byteOrder: byte_order });

const hexBytes = (text: string): Uint8Array =>
  Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

/** What the codec of a free layout has to have; a project without it is refused. */
export interface FreeCodec {
  readonly counter: NonNullable<E2eCodec['counter']>;
  readonly checksum: NonNullable<E2eCodec['checksum']>;
  readonly prefix?: string | undefined;
  readonly suffix?: string | undefined;
}

/** Counter and checksum wherever the codec puts them. */
export const freeProtection = ({
  counter,
  checksum,
  prefix = '',
  suffix = '',
}: FreeCodec): Protection => ({
  counter: fieldOf(counter),
  checksum: fieldOf(checksum),
  constants: [],
  input: { algorithm: checksumOf(checksum), prefix: hexBytes(prefix), suffix: hexBytes(suffix) },
});
