/** Writers of image files, independent of the readers. */
interface Bytes {
  readonly address: number;
  readonly data: Uint8Array;
}

const hex = (bytes: readonly number[]): string => Buffer.from(bytes).toString('hex').toUpperCase();

const sumOf = (bytes: readonly number[]): number => bytes.reduce((sum, byte) => sum + byte, 0);

export const hexRecord = (type: number, address: number, data: readonly number[]): string => {
  const bytes = [data.length, address >> 8, address & 255, type, ...data];
  return `:${hex([...bytes, (256 - (sumOf(bytes) % 256)) % 256])}`;
};

export const sRecord = (type: number, address: number, data: readonly number[]): string => {
  const width = [2, 2, 3, 4, 0, 2, 3, 4, 3, 2][type] as number;
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(address);
  const bytes = [width + data.length + 1, ...buffer.subarray(4 - width), ...data];
  return `S${type}${hex([...bytes, 255 - (sumOf(bytes) % 256)])}`;
};

const pieces = ({ address, data }: Bytes, width: number): [number, number[]][] => {
  const found: [number, number[]][] = [];
  for (let at = 0; at < data.length; at += width) {
    found.push([address + at, [...data.subarray(at, at + width)]]);
  }
  return found;
};

export const intelHexOf = (segments: readonly Bytes[], width: number): string[] => [
  ...segments
    .flatMap((segment) => pieces(segment, width))
    .flatMap(([address, data]) => [
      hexRecord(4, 0, [Math.floor(address / 0x1000000), (address >> 16) & 255]),
      hexRecord(0, address & 0xffff, data),
    ]),
  hexRecord(1, 0, []),
];

export const sRecordsOf = (segments: readonly Bytes[], width: number): string[] => [
  ...segments
    .flatMap((segment) => pieces(segment, width))
    .map(([address, data]) => sRecord(3, address, data)),
  sRecord(7, 0, []),
];
