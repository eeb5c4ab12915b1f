import { invalidArgument } from '../base/errors/busbar-error.ts';

export const maxDlc = 15;
export const maxClassicLength = 8;
export const maxFdLength = 64;

export const fdLengths = Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 48, 64);

const fdCodes = Uint8Array.from({ length: maxFdLength + 1 }, (_, length) =>
  fdLengths.findIndex((room) => room >= length),
);

/** Data length of a DLC from 0 to 15. Classic DLCs 9 to 15 all mean 8 bytes. */
export const dlcToLength = (dlc: number, fd: boolean): number =>
  fd ? (fdLengths[dlc & maxDlc] as number) : Math.min(dlc & maxDlc, maxClassicLength);

/** Returns the smallest DLC with room for `length` bytes. */
export const lengthToDlc = (length: number, fd: boolean): number => {
  const limit = fd ? maxFdLength : maxClassicLength;
  const dlc = length <= limit ? fdCodes[length] : undefined;
  if (dlc === undefined) {
    throw invalidArgument('length', `No frame has ${length} data bytes: the limit is ${limit}`, {
      limit,
    });
  }
  return dlc;
};

export const isFrameLength = (length: number, fd: boolean): boolean =>
  fd
    ? fdLengths.includes(length)
    : Number.isInteger(length) && length >= 0 && length <= maxClassicLength;

export type LengthError =
  | { readonly reason: 'too_long'; readonly limit: number }
  | { readonly reason: 'no_such_length'; readonly next: number };

export const lengthError = (length: number, fd: boolean): LengthError | null => {
  if (isFrameLength(length, fd)) return null;
  const next = fd ? fdLengths.find((each) => each > length) : undefined;
  if (next !== undefined) return { reason: 'no_such_length', next };
  return { reason: 'too_long', limit: fd ? maxFdLength : maxClassicLength };
};
