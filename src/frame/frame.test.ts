import { describe, expect, it } from 'vitest';
import { type CanFrame, frameFlags, type LinFrame } from './frame.ts';

const can: CanFrame = {
  bus: 'can',
  id: 1,
  extended: false,
  remote: false,
  fd: false,
  brs: false,
  esi: false,
  error: false,
  dlc: 0,
  data: new Uint8Array(0),
};

const lin: LinFrame = {
  bus: 'lin',
  type: 'master-write',
  id: 1,
  dlc: 1,
  data: Uint8Array.of(1),
  checksum: 'classic',
};

describe('frameFlags', () => {
  it.each([
    ['extended', 0x01],
    ['remote', 0x02],
    ['fd', 0x04],
    ['brs', 0x08],
    ['esi', 0x10],
    ['error', 0x20],
  ])('sets the bit of %s alone', (field, bit) => {
    expect(frameFlags({ ...can, [field]: true })).toBe(bit);
  });

  it('is 0 for a plain frame and joins several bits', () => {
    expect(frameFlags(can)).toBe(0);
    expect(frameFlags({ ...can, extended: true, fd: true, brs: true })).toBe(0x0d);
  });

  it('tells on LIN the checksum model and the sync break', () => {
    expect(frameFlags(lin)).toBe(0);
    expect(frameFlags({ ...lin, checksum: 'enhanced' })).toBe(0x100);
    expect(frameFlags({ ...lin, type: 'sync-break' })).toBe(0x800);
  });
});
