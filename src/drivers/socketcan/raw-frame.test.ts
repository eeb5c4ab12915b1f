import { describe, expect, it } from 'vitest';
import { dlcToLength } from '../../frame/dlc.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { RawFrames, rawSlotBytes } from './raw-frame.ts';

const { brs, esi, extended, fd, remote } = frameFlag;

const frames = (slots = 2) => new RawFrames(new ArrayBuffer(slots * rawSlotBytes), 0, slots);
const hexOf = (raw: RawFrames, used: number): string =>
  Buffer.from(raw.bytes.subarray(0, used)).toString('hex');

describe('a frame of the kernel', () => {
  it('is laid out as struct can_frame', () => {
    const raw = frames();
    expect(raw.write(0, 0x123, 0, 2, Uint8Array.of(9, 0xaa, 0xbb), 1, 2)).toBe(16);
    expect(hexOf(raw, 16)).toBe('2301000002000000aabb000000000000');
  });

  it('is laid out as struct canfd_frame with its flags', () => {
    const raw = frames();
    const flags = fd | brs | esi | extended;
    expect(raw.write(0, 0x18ff50e5, flags, 1, Uint8Array.of(0x77), 0, 1)).toBe(72);
    expect(hexOf(raw, 12)).toBe('e550ff98' + '01070000' + '77000000');
  });

  it.each([
    ...Array.from({ length: 16 }, (_, dlc) => ({ flags: 0, dlc })),
    ...Array.from({ length: 16 }, (_, dlc) => ({ flags: fd | (dlc % 2 ? brs : esi), dlc })),
    { flags: extended, dlc: 8 },
    { flags: remote, dlc: 0 },
    { flags: remote | extended, dlc: 7 },
  ])('comes back as it was written: $flags, $dlc', ({ flags, dlc }) => {
    const raw = frames();
    const length = (flags & remote) === 0 ? dlcToLength(dlc, (flags & fd) !== 0) : 0;
    const data = Uint8Array.from({ length }, (_, i) => i + 1);
    const id = (flags & extended) === 0 ? 0x7a5 : 0x1a5a5a5a;
    const used = raw.write(1, id, flags, dlc, data, 0, length);
    expect(raw.id(1)).toBe(id);
    expect(raw.flags(1, used)).toBe(flags);
    expect(raw.dlc(1, used)).toBe(dlc);
    expect(raw.length(1, used)).toBe(length);
    const at = raw.dataOffset(1);
    expect(raw.bytes.subarray(at, at + length)).toEqual(data);
    expect(raw.isError(1)).toBe(false);
  });

  it('leaves nothing behind of the frame that was in its slot', () => {
    const raw = frames();
    raw.write(0, 1, fd, 15, new Uint8Array(64).fill(0xee), 0, 64);
    const used = raw.write(0, 1, fd, 1, Uint8Array.of(1), 0, 1);
    expect(hexOf(raw, used)).not.toContain('ee');
  });

  it('has the bytes of its DLC where its sender gave a length between two', () => {
    const raw = frames();
    raw.write(0, 1, fd, 9, new Uint8Array(12), 0, 12);
    raw.bytes[4] = 10;
    expect([raw.dlc(0, 72), raw.length(0, 72)]).toEqual([9, 12]);
  });

  it('never has more bytes than its layout, whatever it says', () => {
    const raw = frames();
    raw.write(0, 1, 0, 8, new Uint8Array(8), 0, 8);
    raw.bytes[4] = 200;
    expect([raw.length(0, 16), raw.dlc(0, 16)]).toEqual([8, 8]);
  });

  it('equals another in identifier, flags of it, and data', () => {
    const one = frames();
    const other = frames();
    one.write(0, 0x123, 0, 2, Uint8Array.of(1, 2), 0, 2);
    other.write(1, 0x123, 0, 2, Uint8Array.of(1, 2), 0, 2);
    expect(one.equals(0, other, 1, 16)).toBe(true);
    other.write(1, 0x123, extended, 2, Uint8Array.of(1, 2), 0, 2);
    expect(one.equals(0, other, 1, 16)).toBe(false);
    other.write(1, 0x123, 0, 2, Uint8Array.of(1, 3), 0, 2);
    expect(one.equals(0, other, 1, 16)).toBe(false);
  });
});
