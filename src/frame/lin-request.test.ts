import { describe, expect, it } from 'vitest';
import type { ChecksumModel } from './frame.ts';
import { linFrameFromRequest } from './frame-request.ts';
import type { LinModel } from './lin.ts';
import type { FrameRequest } from './request-fields.ts';

const refused = (field: string, reason: string) =>
  expect.objectContaining({
    code: 'invalid_argument',
    details: expect.objectContaining({ field, reason }),
  });

const lin2 = (checksum: ChecksumModel): LinModel => ({ version: '2.2', checksum });

describe('linFrameFromRequest', () => {
  it('makes a master write of id and data', () => {
    const request: FrameRequest = { type: 'master-write', id: 0x23, data: '4A 55 93 E5' };
    expect(linFrameFromRequest(request, lin2('enhanced'))).toEqual({
      bus: 'lin',
      type: 'master-write',
      id: 0x23,
      dlc: 4,
      data: Uint8Array.of(0x4a, 0x55, 0x93, 0xe5),
      checksum: 'enhanced',
    });
  });

  it('makes a master read whose length may be left open', () => {
    const request: FrameRequest = { type: 'master-read', id: 0x3b };
    expect(linFrameFromRequest(request, lin2('classic'))).toMatchObject({
      dlc: 0,
      checksum: 'classic',
    });
    expect(linFrameFromRequest({ ...request, dlc: 8 }, lin2('classic')).dlc).toBe(8);
    expect(linFrameFromRequest({ ...request, data: '' }, lin2('classic')).data).toHaveLength(0);
  });

  it('makes a sync break, which has nothing but itself', () => {
    const request: FrameRequest = { type: 'sync-break' };
    expect(linFrameFromRequest(request, lin2('enhanced'))).toMatchObject({
      type: 'sync-break',
      id: 0,
    });
    expect(linFrameFromRequest({ ...request, id: 0, dlc: 0 }, lin2('enhanced')).dlc).toBe(0);
  });

  it.each<[ChecksumModel | undefined, ChecksumModel, ChecksumModel]>([
    [undefined, 'classic', 'classic'],
    [undefined, 'enhanced', 'enhanced'],
    ['classic', 'enhanced', 'classic'],
    ['enhanced', 'classic', 'enhanced'],
  ])('puts checksum %s of the request before %s of the channel', (asked, ofChannel, expected) => {
    const request = { id: 1, data: '01', ...(asked && { checksum: asked }) };
    expect(linFrameFromRequest(request, lin2(ofChannel)).checksum).toBe(expected);
  });

  it('reads an identifier in hex as it is printed', () => {
    expect(linFrameFromRequest({ id: '21', data: '01' }, lin2('classic')).id).toBe(0x21);
    expect(linFrameFromRequest({ id: '0x021', data: '01' }, lin2('classic')).id).toBe(0x21);
  });

  it.each([0x3c, 0x3d])('gives diagnostic id %i the classic checksum on any channel', (id) => {
    const data = '00'.repeat(8);
    expect(linFrameFromRequest({ id, data }, lin2('enhanced')).checksum).toBe('classic');
  });

  it.each<[string, FrameRequest, string, string]>([
    ['no id', { data: '00' }, 'id', 'missing'],
    ['the reserved id', { id: 63, data: '00' }, 'id', 'reserved'],
    ['a short diagnostic frame', { id: 0x3c, data: '00' }, 'data', 'diagnostic_id'],
    ['an id above 63', { id: 64, data: '00' }, 'id', 'out_of_range'],
    ['an id above 3F as text', { id: '40', data: '00' }, 'id', 'out_of_range'],
    ['an id of 29 bits', { id: '00000021', data: '00' }, 'id', 'not_on_bus'],
    ['a sync break with an id', { type: 'sync-break', id: '21' }, 'id', 'not_in_sync_break'],
    ['a master write without data', { id: 1 }, 'data', 'missing'],
    ['9 bytes', { id: 1, data: '00'.repeat(9) }, 'data', 'too_long'],
    ['an odd number of digits', { id: 1, data: '000' }, 'data', 'half_byte'],
    ['a DLC that disagrees', { id: 1, dlc: 2, data: '00' }, 'dlc', 'disagrees'],
    ['a read of no bytes', { type: 'master-read', id: 1, dlc: 0 }, 'dlc', 'missing'],
    ['a diagnostic read of 2', { type: 'master-read', id: 61, dlc: 2 }, 'dlc', 'diagnostic_id'],
    ['a DLC above 8', { type: 'master-read', id: 1, dlc: 9 }, 'dlc', 'out_of_range'],
    [
      'a master read with data',
      { type: 'master-read', id: 1, data: '00' },
      'data',
      'no_data_allowed',
    ],
    ['a sync break with data', { type: 'sync-break', data: '00' }, 'data', 'no_data_allowed'],
    ['a sync break with an id', { type: 'sync-break', id: 1 }, 'id', 'not_in_sync_break'],
    ['a sync break with a DLC', { type: 'sync-break', dlc: 1 }, 'dlc', 'not_in_sync_break'],
    [
      'a sync break with a checksum',
      { type: 'sync-break', checksum: 'classic' },
      'checksum',
      'not_in_sync_break',
    ],
    [
      'the enhanced checksum in diagnostics',
      { id: 0x3c, data: '00', checksum: 'enhanced' },
      'checksum',
      'diagnostic_id',
    ],
    [
      'an unknown checksum',
      { id: 1, data: '00', checksum: 'crc' as ChecksumModel },
      'checksum',
      'enum',
    ],
  ])('refuses %s', (_, request, field, reason) => {
    expect(() => linFrameFromRequest(request, lin2('enhanced'))).toThrowError(
      refused(field, reason),
    );
  });

  it('refuses the enhanced checksum on a channel of LIN 1.3', () => {
    const lin13: LinModel = { version: '1.3', checksum: 'classic' };
    const request: FrameRequest = { id: 1, data: '00' };
    expect(linFrameFromRequest({ ...request, checksum: 'classic' }, lin13).checksum).toBe(
      'classic',
    );
    for (const type of ['master-write', 'master-read'] as const) {
      const asked: FrameRequest = { ...(type === 'master-read' ? { id: 1 } : request), type };
      expect(() => linFrameFromRequest({ ...asked, checksum: 'enhanced' }, lin13)).toThrowError(
        refused('checksum', 'lin_version'),
      );
    }
  });

  it.each(['extended', 'fd', 'brs', 'esi'] as const)('refuses %s', (field) => {
    const request = { id: 1, data: '00' };
    expect(() => linFrameFromRequest({ ...request, [field]: true }, lin2('classic'))).toThrowError(
      refused(field, 'not_on_bus'),
    );
    expect(() =>
      linFrameFromRequest({ ...request, [field]: false }, lin2('classic')),
    ).not.toThrow();
  });
});
