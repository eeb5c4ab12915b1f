import { BusbarError } from '../base/errors/busbar-error.ts';
import { formatHex, hexByte } from '../frame/hex-bytes.ts';
import { responseBit, serviceName } from './services.ts';

/** Bytes of a malformed response that its error shows. */
const maxShown = 64;

export const malformed = (response: Uint8Array, words: string): BusbarError =>
  new BusbarError('unexpected_response', {
    message: `The response to ${serviceName((response[0] ?? 0) & ~responseBit)} ${words}`,
    details: { response: formatHex(response, '', Math.min(response.length, maxShown)) },
  });

/** Refuses what is no positive response with at least (or exactly) so many bytes. */
export const expectResponse = (
  response: Uint8Array,
  service: number,
  least: number,
  most = Number.POSITIVE_INFINITY,
): void => {
  const { length } = response;
  if (response[0] !== (service | responseBit)) {
    throw malformed(response, `begins with 0x${hexByte(response[0] ?? 0)}`);
  }
  if (length < least) throw malformed(response, `has ${length} of at least ${least} bytes`);
  if (length > most) throw malformed(response, `has ${length} of at most ${most} bytes`);
};
