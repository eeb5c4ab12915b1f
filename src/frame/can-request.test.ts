import { describe, expect, it } from 'vitest';
import { canFrameFromRequest } from './can-request.ts';
import { dlcToLength } from './dlc.ts';
import type { FrameRequest } from './request-fields.ts';

const refused = (field: string, reason?: string) =>
  expect.objectContaining({
    code: 'invalid_argument',
    details: expect.objectContaining(reason === undefined ? { field } : { field, reason }),
  });

const bytes = (length: number) => 'A5'.repeat(length);

describe('canFrameFromRequest', () => {
  it('makes a classic frame of id and data', () => {
    expect(canFrameFromRequest({ id: 0x123, data: 'de ad-be:ef' }, 'can')).toEqual({
      bus: 'can',
      id: 0x123,
      extended: false,
      remote: false,
      fd: false,
      brs: false,
      esi: false,
      error: false,
      dlc: 4,
      data: Uint8Array.of(0xde, 0xad, 0xbe, 0xef),
    });
  });

  it('makes a CAN FD frame with all its flags', () => {
    const request = { id: 0x1fffffff, extended: true, fd: true, brs: true, esi: true };
    expect(canFrameFromRequest({ ...request, data: bytes(48) }, 'canfd')).toMatchObject({
      bus: 'canfd',
      id: 0x1fffffff,
      extended: true,
      fd: true,
      brs: true,
      esi: true,
      dlc: 14,
    });
  });

  it.each<[id: string, extended: boolean | undefined, frame: object]>([
    ['123', undefined, { id: 0x123, extended: false }],
    ['7FF', undefined, { id: 0x7ff, extended: false }],
    ['0x7df', undefined, { id: 0x7df, extended: false }],
    ['7DFh', false, { id: 0x7df, extended: false }],
    ['800', undefined, { id: 0x800, extended: true }],
    ['FFFF', undefined, { id: 0xffff, extended: true }],
    ['18FF50E5', undefined, { id: 0x18ff50e5, extended: true }],
    ['00000123', undefined, { id: 0x123, extended: true }],
    ['123', true, { id: 0x123, extended: true }],
    ['0123', true, { id: 0x123, extended: true }],
    ['0123', false, { id: 0x123, extended: false }],
  ])('reads the identifier %s with extended %s as it is printed', (id, extended, frame) => {
    const request = extended === undefined ? { id } : { id, extended };
    expect(canFrameFromRequest(request, 'can')).toMatchObject(frame);
  });

  it.each<[request: FrameRequest, field: string, reason: string]>([
    [{ id: 'x' }, 'id', 'pattern'],
    [{ id: '-1' }, 'id', 'pattern'],
    [{ id: '20000000' }, 'id', 'out_of_range'],
    [{ id: '0123' }, 'id', 'unclear_width'],
    [{ id: '800', extended: false }, 'extended', 'contradiction'],
    [{ id: '00000123', extended: false }, 'extended', 'contradiction'],
    [{ id: 0x800 }, 'id', 'out_of_range'],
  ])('refuses %j at %s', (request, field, reason) => {
    expect(() => canFrameFromRequest(request, 'can')).toThrow(refused(field, reason));
  });

  it('calls a classic frame on a CAN FD channel can', () => {
    expect(canFrameFromRequest({ id: 1, fd: false }, 'canfd')).toMatchObject({ bus: 'can' });
  });

  it('makes a remote frame with a DLC and no data', () => {
    const request: FrameRequest = { type: 'remote', id: 0x7ff, dlc: 5, data: '' };
    expect(canFrameFromRequest(request, 'can')).toMatchObject({ remote: true, dlc: 5 });
    expect(canFrameFromRequest(request, 'can').data).toHaveLength(0);
    expect(canFrameFromRequest({ type: 'remote', id: 0 }, 'can').dlc).toBe(0);
  });

  it('takes a CAN FD length with the DLC that means it', () => {
    for (let dlc = 0; dlc <= 15; dlc++) {
      const data = bytes(dlcToLength(dlc, true));
      expect(canFrameFromRequest({ id: 1, fd: true, dlc, data }, 'canfd').dlc).toBe(dlc);
      expect(canFrameFromRequest({ id: 1, fd: true, data }, 'canfd').dlc).toBe(dlc);
    }
  });

  it.each([9, 10, 11, 12, 13, 14, 15])('takes classic DLC %i with 8 bytes', (dlc) => {
    expect(canFrameFromRequest({ id: 1, dlc, data: bytes(8) }, 'can').dlc).toBe(dlc);
  });

  it.each<[string, FrameRequest, string, string]>([
    ['no id', { data: '00' }, 'id', 'missing'],
    ['a negative id', { id: -1 }, 'id', 'out_of_range'],
    ['half an id', { id: 1.5 }, 'id', 'out_of_range'],
    ['an id above 7FF', { id: 0x800 }, 'id', 'out_of_range'],
    ['an id above 1FFFFFFF', { id: 0x20000000, extended: true }, 'id', 'out_of_range'],
    ['9 bytes in a classic frame', { id: 1, data: bytes(9) }, 'data', 'too_long'],
    ['more than 64 bytes', { id: 1, fd: true, data: bytes(65) }, 'data', 'too_long'],
    ['9 bytes in a CAN FD frame', { id: 1, fd: true, data: bytes(9) }, 'data', 'no_such_length'],
    ['63 bytes in a CAN FD frame', { id: 1, fd: true, data: bytes(63) }, 'data', 'no_such_length'],
    ['an odd number of digits', { id: 1, data: '123' }, 'data', 'half_byte'],
    ['a bad character', { id: 1, data: '12 3g' }, 'data', 'bad_character'],
    ['a remote frame with data', { type: 'remote', id: 1, data: '00' }, 'data', 'no_data_allowed'],
    ['a remote CAN FD frame', { type: 'remote', id: 1, fd: true }, 'fd', 'remote_fd'],
    ['BRS without FD', { id: 1, brs: true }, 'brs', 'needs_fd'],
    ['ESI without FD', { id: 1, fd: false, esi: true }, 'esi', 'needs_fd'],
    ['a checksum', { id: 1, checksum: 'classic' }, 'checksum', 'not_on_bus'],
    ['a DLC above 15', { id: 1, dlc: 16 }, 'dlc', 'out_of_range'],
    ['a negative DLC', { id: 1, dlc: -1 }, 'dlc', 'out_of_range'],
    ['a DLC below the data', { id: 1, dlc: 1, data: '0102' }, 'dlc', 'disagrees'],
    ['a DLC without data', { id: 1, dlc: 4 }, 'dlc', 'disagrees'],
    ['DLC 9 with 7 bytes', { id: 1, dlc: 9, data: bytes(7) }, 'dlc', 'disagrees'],
    [
      'DLC 9 with 8 bytes of CAN FD',
      { id: 1, fd: true, dlc: 9, data: bytes(8) },
      'dlc',
      'disagrees',
    ],
  ])('refuses %s', (_, request, field, reason) => {
    expect(() => canFrameFromRequest(request, 'canfd')).toThrowError(refused(field, reason));
  });

  it.each(['fd', 'brs', 'esi'] as const)('refuses %s on a classic channel', (field) => {
    expect(() => canFrameFromRequest({ id: 1, [field]: true }, 'can')).toThrowError(
      refused(field, 'not_on_bus'),
    );
    expect(() => canFrameFromRequest({ id: 1, [field]: false }, 'can')).not.toThrow();
  });

  it('says which length to pad to', () => {
    expect(() => canFrameFromRequest({ id: 1, fd: true, data: bytes(25) }, 'canfd')).toThrowError(
      expect.objectContaining({ details: expect.objectContaining({ next: 32 }) }),
    );
  });
});
