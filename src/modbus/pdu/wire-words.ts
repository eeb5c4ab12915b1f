export const wordAt = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] as number) << 8) | (bytes[at + 1] as number);

export const putWord = (into: Uint8Array, at: number, word: number): void => {
  into[at] = word >> 8;
  into[at + 1] = word;
};

export const readRegisters = (
  bytes: Uint8Array,
  at: number,
  count: number,
  into: Uint16Array,
  intoAt = 0,
): void => {
  for (let i = 0; i < count; i++) into[intoAt + i] = wordAt(bytes, at + 2 * i);
};

export const writeRegisters = (
  into: Uint8Array,
  at: number,
  registers: Uint16Array,
  first: number,
  count: number,
): number => {
  for (let i = 0; i < count; i++) putWord(into, at + 2 * i, registers[first + i] as number);
  return 2 * count;
};
