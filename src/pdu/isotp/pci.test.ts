import { describe, expect, it } from 'vitest';
import { maxSingle, Pci, readPci } from './pci.ts';

/** The bytes are read after two that do not belong to the frame. */
const read = (hex: string, addressBytes: 0 | 1 = 0): Pci => {
  const data = Buffer.from(hex.replaceAll(' ', ''), 'hex');
  const pci = new Pci();
  readPci(
    pci,
    Buffer.concat([Buffer.of(0x21, 0x22), data, Buffer.of(9, 9)]),
    2,
    data.length,
    addressBytes,
  );
  pci.dataAt -= 2;
  return pci;
};

const filled = (hex: string, length: number): string => hex.padEnd(length * 2, 'C');

describe('N_PCI of a frame', () => {
  it.each([
    ['03 22F190', 0, 3, 1],
    ['03 22F190 CCCCCCCC', 0, 3, 1],
    ['07 01020304050607', 0, 7, 1],
    ['12 06 010203040506', 1, 6, 2],
    [filled('0008', 12), 0, 8, 2],
    [filled('003E', 64), 0, 62, 2],
    [filled('99003D', 64), 1, 61, 3],
  ] as const)('reads the single frame %s', (hex, addressBytes, length, dataAt) => {
    expect(read(hex, addressBytes)).toMatchObject({ kind: 'single', length, dataAt });
  });

  it.each([
    ['10 08 010203040506', 0, 8, 2],
    ['1F FF 010203040506', 0, 4095, 2],
    ['10 00 00001000 0102', 0, 4096, 6],
    ['10 00 FFFFFFFF 0102', 0, 0xffff_ffff, 6],
    ['99 10 07 0102030405', 1, 7, 3],
    ['F1 10 00 00001000 01', 1, 4096, 7],
    [filled('10C8', 64), 0, 200, 2],
  ] as const)('reads the first frame %s', (hex, addressBytes, length, dataAt) => {
    expect(read(hex, addressBytes)).toMatchObject({ kind: 'first', length, dataAt });
  });

  it.each([
    ['21 0708', 0, 1, 1],
    ['20 01', 0, 0, 1],
    ['12 2F 0607', 1, 15, 2],
  ] as const)('reads the consecutive frame %s', (hex, addressBytes, sequence, dataAt) => {
    expect(read(hex, addressBytes)).toMatchObject({
      kind: 'consecutive',
      length: 0,
      sequence,
      dataAt,
    });
  });

  it.each([
    ['30 08 00', 0, 0, 8, 0],
    ['31 00 00 CCCCCCCCCC', 0, 1, 0, 0],
    ['32 08 7F', 0, 2, 8, 0x7f],
    ['35 00 00', 0, 5, 0, 0],
    ['F1 30 08 F3', 1, 0, 8, 0xf3],
  ] as const)('reads the flow control %s', (hex, addressBytes, status, blockSize, stMin) => {
    expect(read(hex, addressBytes)).toMatchObject({ kind: 'flow', status, blockSize, stMin });
  });

  it.each([
    ['', 0, 'an empty frame'],
    ['F1', 1, 'only an address byte'],
    ['00', 0, 'a single frame of 0 bytes'],
    ['00 08 0102030405', 0, 'an escape in a short frame'],
    ['08 01020304050607', 0, 'a single frame longer than its frame'],
    ['F1 07 010203040506', 1, 'the same after an address byte'],
    ['03 0102', 0, 'a single frame with missing bytes'],
    [filled('07', 12), 0, 'no escape in a long frame'],
    [filled('0000', 12), 0, 'an escape of 0 bytes'],
    [filled('000B', 12), 0, 'an escape longer than its frame'],
    ['10 08 0102030405', 0, 'a first frame of 7 bytes'],
    ['10 00 00000000 0102', 0, 'a first frame of a payload of 0 bytes'],
    ['21', 0, 'a consecutive frame without data'],
    ['30 00', 0, 'a flow control of 2 bytes'],
    ['40 01', 0, 'PCI 4'],
    ['F0 01', 0, 'PCI F'],
  ] as const)('rejects %s with %i address bytes: %s', (hex, addressBytes, _) => {
    expect(read(hex, addressBytes)).toMatchObject({ kind: 'invalid', length: 0 });
  });

  it('keeps nothing of the frame before', () => {
    const pci = new Pci();
    readPci(pci, Buffer.from('1FFF010203040506', 'hex'), 0, 8, 0);
    readPci(pci, Buffer.from('4000', 'hex'), 0, 2, 0);
    expect(pci).toMatchObject({ kind: 'invalid', length: 0, frameLength: 2 });
  });

  it.each([
    [8, 0, 7],
    [8, 1, 6],
    [12, 0, 10],
    [64, 0, 62],
    [64, 1, 61],
  ])(
    'has room in a single frame of TX_DL %i with %i address bytes for %i bytes',
    (txDl, addressBytes, length) => {
      expect(maxSingle(txDl, addressBytes)).toBe(length);
    },
  );
});
