/** Bytes of integers that a double holds exactly. */
export const maxUintBytes = 6;

export const uint16At = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] as number) << 8) | (bytes[at + 1] as number);

export const uintAt = (bytes: Uint8Array, at: number, length: number): number => {
  let value = 0;
  for (let index = 0; index < length; index++) value = value * 256 + (bytes[at + index] as number);
  return value;
};

export const uintBytes = (value: number, length: number): number[] =>
  Array.from({ length }, (_, index) => Math.floor(value / 256 ** (length - 1 - index)) % 256);

/** Bytes that hold a value; at least one. */
export const bytesOfUint = (value: number): number => {
  let length = 1;
  while (value >= 256 ** length) length += 1;
  return length;
};
