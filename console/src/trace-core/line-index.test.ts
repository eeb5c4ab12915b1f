import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineIndex } from './line-index.ts';

it('numbers rows and the lines below them', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(3), { maxLength: 12 }), (lines) => {
      const expanded = lines.flatMap((own, row) => (own > 0 ? [[row, own] as const] : []));
      const index = new LineIndex(lines.length, expanded);
      const places = lines.flatMap((own, row) =>
        Array.from({ length: own + 1 }, (_, line) => ({ row, line })),
      );
      expect(index.total).toBe(places.length);
      expect(places.map((_, number) => index.placeOf(number))).toEqual(places);
      const starts = lines.map((_, row) => places.findIndex((place) => place.row === row));
      expect(lines.map((_, row) => index.lineOf(row))).toEqual(starts);
    }),
  );
});
