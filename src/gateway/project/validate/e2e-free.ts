import type { E2eCodec } from '../tables/codecs.ts';
import type { Report } from './project-links.ts';
import { wholeFlaw } from './value-rules.ts';

type Checksum = NonNullable<E2eCodec['checksum']>;

/** Bits of the results of the algorithms. */
const widths: Readonly<Record<Exclude<Checksum['algorithm'], 'crc'>, number>> = {
  CRC8: 8,
  CRC8_GSM_A: 8,
  CRC8H2F: 8,
  CRC16: 16,
  CRC16_ARC: 16,
  CRC32: 32,
  CRC32P4: 32,
  CRC64: 64,
  sum8: 8,
  xor8: 8,
};

const hexValue = (text: string): bigint => BigInt(text.startsWith('0x') ? text : `0x${text}`);

const checkChecksum = (checksum: Checksum, index: number, report: Report): void => {
  const { algorithm, bit_length } = checksum;
  const width = algorithm === 'crc' ? checksum.width : widths[algorithm];
  if (bit_length !== width) {
    const flaw = `must be ${width}, the bits of ${algorithm}`;
    report(index, 'checksum.bit_length', 'size_mismatch', flaw);
  }
  if (algorithm !== 'crc') return;
  for (const field of ['polynomial', 'initial', 'final_xor'] as const) {
    if (hexValue(checksum[field]) < 2n ** BigInt(width)) continue;
    report(index, `checksum.${field}`, 'invalid_value', `must fit into ${width} bits`);
  }
  if (hexValue(checksum.polynomial) === 0n) {
    report(index, 'checksum.polynomial', 'invalid_value', 'must not be 0');
  }
};

/** The counter and the checksum of a free layout. */
export const checkFreeCodec = (codec: E2eCodec, index: number, report: Report): void => {
  if (codec.profile !== 'free') return;
  const { counter, checksum } = codec;
  if (counter !== undefined) {
    const most = 2n ** BigInt(counter.bit_length) - 1n;
    const fault = wholeFlaw(counter.max, { least: 1n, most });
    if (fault) report(index, 'counter.max', 'invalid_value', `${fault}, as the bits allow`);
  }
  if (checksum !== undefined) checkChecksum(checksum, index, report);
};
