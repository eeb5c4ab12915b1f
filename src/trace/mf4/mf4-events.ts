/** Values of `ErrorType` and `ChecksumModel` as the standard defines them. */
export const errorType = { other: 0, bit: 1, form: 2, stuff: 3, crc: 4, acknowledge: 5 } as const;
export const checksumModel = { unknown: -1, classic: 0, enhanced: 1 } as const;
