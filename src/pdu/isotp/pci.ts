export type PciKind = 'single' | 'first' | 'consecutive' | 'flow' | 'invalid';

/** Flow status, the low nibble of a flow control frame. */
export const flowStatus = { continue: 0, wait: 1, overflow: 2 } as const;

/** Longest frame of classic CAN; longer ones use the escape form of a single frame. */
export const classicDl = 8;

/** Longest length in 12 bits; a first frame has 32 bits for more. */
export const maxShortLength = 0xfff;

/**
 * N_PCI of a frame (ISO 15765-2, 9.6), after the address byte, if the addressing mode has one:
 *
 *     single       0L             | data      frames of up to 8 bytes, L = 1…7 or 1…6
 *                  00 LL          | data      longer frames
 *     first        1L LL          | data
 *                  10 00 LLLLLLLL | data      32 bits, big-endian
 *     consecutive  2S             | data
 *     flow         3F BS ST
 *
 * One object serves all frames: `readPci` overwrites it.
 */
export class Pci {
  kind: PciKind = 'invalid';
  /** Payload length of a single or first frame; 0 in others. */
  length = 0;
  /** Index of the first payload byte. Bytes after the payload are padding. */
  dataAt = 0;
  /** Data length of the whole frame. */
  frameLength = 0;
  sequence = 0;
  status = 0;
  blockSize = 0;
  /** Raw byte. */
  stMin = 0;
}

/** Longest payload of a single frame, with transmit data length `txDl`. */
export const maxSingle = (txDl: number, addressBytes: number): number =>
  txDl > classicDl ? txDl - 2 - addressBytes : classicDl - 1 - addressBytes;

/** Reads the frame whose `length` data bytes begin at `at`. The address byte is not checked. */
export const readPci = (
  pci: Pci,
  bytes: Uint8Array,
  at: number,
  length: number,
  addressBytes: 0 | 1,
): void => {
  pci.kind = 'invalid';
  pci.length = 0;
  pci.frameLength = length;
  pci.dataAt = at + addressBytes + 1;
  const end = at + length;
  if (pci.dataAt > end) return;
  const first = bytes[at + addressBytes] as number;
  switch (first >> 4) {
    case 0:
      readSingle(pci, bytes, end, first & 0x0f);
      break;
    case 1:
      readFirst(pci, bytes, end, first & 0x0f);
      break;
    case 2:
      pci.sequence = first & 0x0f;
      if (pci.dataAt < end) pci.kind = 'consecutive';
      break;
    case 3:
      readFlow(pci, bytes, end, first & 0x0f);
  }
};

const readSingle = (pci: Pci, bytes: Uint8Array, end: number, nibble: number): void => {
  let length = nibble;
  if (pci.frameLength > classicDl) {
    if (nibble !== 0) return;
    length = bytes[pci.dataAt] as number;
    pci.dataAt += 1;
  }
  if (length === 0 || pci.dataAt + length > end) return;
  pci.length = length;
  pci.kind = 'single';
};

/** A first frame fills its frame, which has at least 8 bytes. */
const readFirst = (pci: Pci, bytes: Uint8Array, end: number, nibble: number): void => {
  if (pci.frameLength < classicDl) return;
  let length = (nibble << 8) | (bytes[pci.dataAt] as number);
  pci.dataAt += 1;
  if (length === 0) {
    const at = pci.dataAt;
    pci.dataAt += 4;
    if (pci.dataAt >= end) return;
    const high = ((bytes[at] as number) << 8) | (bytes[at + 1] as number);
    const low = ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number);
    length = high * 0x1_0000 + low;
  }
  if (length === 0) return;
  pci.length = length;
  pci.kind = 'first';
};

const readFlow = (pci: Pci, bytes: Uint8Array, end: number, nibble: number): void => {
  if (pci.dataAt + 2 > end) return;
  pci.status = nibble;
  pci.blockSize = bytes[pci.dataAt] as number;
  pci.stMin = bytes[pci.dataAt + 1] as number;
  pci.dataAt += 2;
  pci.kind = 'flow';
};
