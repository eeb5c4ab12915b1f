/** Marks of a candump log, and what its digits mean. */
export const mark = {
  lineFeed: 0x0a,
  blank: 0x20,
  hash: 0x23,
  opening: 0x28,
  closing: 0x29,
  dot: 0x2e,
  zero: 0x30,
  underscore: 0x5f,
} as const;

export const letter = { remote: 0x52, sent: 0x54 } as const;

/** Set in the eight digits of an error frame, which has no identifier but error class bits. */
export const errorBit = 0x2000_0000;
export const idBits = 0x1fff_ffff;

/** How many digits an identifier has. */
export const idDigits = { standard: 3, extended: 8, xl: 5 } as const;

/** Bits of the digit behind `##`. Some kernels set the one that says CAN FD itself. */
export const fdBit = { brs: 1, esi: 2, fd: 4 } as const;

export const nsPerSecond = 1e9;

/**
 * Error frames that get a line each. No bus makes more in the time for which a driver holds them back;
 * a file that says so must not fill the disk.
 */
export const mostErrorLines = 10_000;
