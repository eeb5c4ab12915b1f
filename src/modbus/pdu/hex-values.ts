export const valueNotations = ['decimal', 'hex'] as const;
export type ValueNotation = (typeof valueNotations)[number];

export const digitsPerRegister = 4;

/** Bits of these registers with all digits: `0x001F`. */
export const hexText = (bits: bigint | number, registers: number): string =>
  `0x${bits
    .toString(16)
    .toUpperCase()
    .padStart(digitsPerRegister * registers, '0')}`;

const shape = /^0[xX]([0-9a-fA-F]+)$/;

export const hexDigits = (text: string): string | undefined => shape.exec(text)?.[1];
