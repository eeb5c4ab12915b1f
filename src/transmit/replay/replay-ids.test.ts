import { describe, expect, it } from 'vitest';
import { busCode, frameFlag } from '../../frame/frm2-layout.ts';
import { TraceBatch } from '../../trace/trace-batch.ts';
import { IdChanges, idChangesOf, maxIdChanges } from './replay-ids.ts';

interface Row {
  readonly id: number;
  readonly flags?: number;
  readonly bus?: keyof typeof busCode;
}

const { extended, error, fd } = frameFlag;

const changed = (ids: Record<string, string>, { id, flags = 0, bus = 'can' }: Row) => {
  const batch = new TraceBatch(8);
  batch.id[0] = id;
  batch.flags[0] = flags;
  batch.bus[0] = busCode[bus];
  batch.count = 1;
  new IdChanges(idChangesOf(ids)).apply(batch);
  return { id: batch.id[0], flags: batch.flags[0] };
};

describe('the identifiers of a replay', () => {
  it.each<[ids: Record<string, string>, row: Row, id: number, flags: number]>([
    [{ 123: '124' }, { id: 0x123 }, 0x124, 0],
    [{ 123: '124' }, { id: 0x124 }, 0x124, 0],
    [{ 123: '124', 124: '123' }, { id: 0x124 }, 0x123, 0],
    [{ 123: '18FF50E5' }, { id: 0x123, flags: fd }, 0x18ff50e5, fd | extended],
    [{ '18FF50E5': '7' }, { id: 0x18ff50e5, flags: extended }, 7, 0],
    [{ 123: '124' }, { id: 0x123, flags: extended }, 0x123, extended],
    [{ '00000123': '124' }, { id: 0x123, flags: extended }, 0x124, 0],
    [{ '00000123': '124' }, { id: 0x123 }, 0x123, 0],
    [{ 123: '124' }, { id: 0x123, flags: error }, 0x123, error],
    [{ '0x12': '13h' }, { id: 0x12, bus: 'lin' }, 0x13, 0],
    [{ 12: '124' }, { id: 0x12, bus: 'lin' }, 0x12, 0],
    [{ 12: '00000013' }, { id: 0x12, bus: 'lin' }, 0x12, 0],
  ])('become by %j of %j %i with flags %i', (ids, row, id, flags) => {
    expect(changed(ids, row)).toEqual({ id, flags });
  });

  it.each<[ids: Record<string, string>, reason: string, id: string]>([
    [{ 123: 'engine' }, 'pattern', '123'],
    [{ '': '124' }, 'pattern', ''],
    [{ 123: '' }, 'pattern', '123'],
    [{ '100-1FF': '1' }, 'pattern', '100-1FF'],
    [{ '0123': '124' }, 'unclear_width', '0123'],
    [{ 123: '0124' }, 'unclear_width', '123'],
    [{ 123: '20000000' }, 'out_of_range', '123'],
    [{ 123: '1', '0x123': '2' }, 'duplicate_key', '0x123'],
  ])('are refused as %j: %s', (ids, reason, id) => {
    expect(() => idChangesOf(ids)).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        details: { field: 'ids', reason, id },
      }),
    );
  });

  it('are limited in number', () => {
    const many = Array.from({ length: maxIdChanges + 1 }, (_, id) => [id.toString(16), '1']);
    expect(() => idChangesOf(Object.fromEntries(many))).toThrow(
      expect.objectContaining({ details: { field: 'ids', reason: 'out_of_range' } }),
    );
    expect(idChangesOf(Object.fromEntries(many.slice(1)))).toHaveLength(maxIdChanges);
  });
});
