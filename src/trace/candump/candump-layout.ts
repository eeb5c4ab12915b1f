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

/** Set in an error frame, which has error classes instead of an identifier. */
export const errorBit = 0x2000_0000;
export const idBits = 0x1fff_ffff;

export const idDigits = { standard: 3, extended: 8, xl: 5 } as const;

/** Bits of the digit after `##`. Some kernels also set the CAN FD bit. */
export const fdBit = { brs: 1, esi: 2, fd: 4 } as const;

export const nsPerSecond = 1e9;

/** Upper bound of error lines for one row, so that a count in a file cannot fill the disk. */
export const maxErrorLines = 10_000;
