/** How values are shown: as numbers, or as the bits that their registers hold. */
export const valueNotations = ['decimal', 'hex'] as const;
export type ValueNotation = (typeof valueNotations)[number];

/** Hex digits of a register. */
export const digitsPerRegister = 4;

/** The bits of so many registers with all their digits: `0x001F`. */
export const hexText = (bits: bigint | number, registers: number): string =>
  `0x${bits
    .toString(16)
    .toUpperCase()
    .padStart(digitsPerRegister * registers, '0')}`;

const shape = /^0[xX]([0-9a-fA-F]+)$/;

/** The digits of a text in hex; undefined where it is none. */
export const hexDigits = (text: string): string | undefined => shape.exec(text)?.[1];
