const hexBytes = Array.from({ length: 256 }, (_, value) =>
  value.toString(16).toUpperCase().padStart(2, '0'),
);

/** Two digits of a byte. */
export const hexByte = (value: number): string => hexBytes[value & 0xff] as string;

export const hexText = (data: Uint8Array, separator = ' ', length = data.length): string => {
  let text = '';
  for (let i = 0; i < length; i++) {
    text += i === 0 ? hexByte(data[i] as number) : separator + hexByte(data[i] as number);
  }
  return text;
};
