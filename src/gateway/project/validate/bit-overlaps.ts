import { OverlapFinder, type PlacedSignal } from '../../../database/overlap.ts';
import { protectedFields } from '../../../e2e/profiles.ts';
import { maxFrameBytes } from '../fields.ts';
import { type BitField, bitsOfBinding } from './bindings.ts';
import { parseRawRange } from './mux.ts';
import { type ProjectLinks, quoted, type Report } from './project-links.ts';

interface Claim {
  readonly bits: PlacedSignal;
  readonly binding: number;
  readonly field: string;
  readonly owner: string;
}

const placed = (
  name: string,
  { startBit, length, byteOrder }: BitField,
  byteOffset: number,
  multiplexing: PlacedSignal['multiplexing'],
): PlacedSignal => ({ name, startBit: startBit + 8 * byteOffset, length, byteOrder, multiplexing });

const protectionClaims = (links: ProjectLinks, messageId: string): Claim[] => {
  const { e2e, codecs } = links.draft.tables;
  return (links.protectsOfMessage.get(messageId) ?? []).flatMap((index) => {
    const row = e2e.rows[index];
    if (row === undefined) return [];
    const codec = codecs.get(row.codec);
    const container = links.containerOf(row);
    if (codec?.kind !== 'e2e' || container === undefined) return [];
    return protectedFields(codec).map((field, place) => ({
      bits: placed(` protection ${place}`, field, container.byteOffset, null),
      binding: -1,
      field: '',
      owner: `e2e ${quoted(row.id)}`,
    }));
  });
};

const bindingClaims = (links: ProjectLinks, index: number): Claim[] => {
  const { bindings, codecs } = links.draft.tables;
  const row = bindings.rows[index];
  const container = row && links.containerOf(row);
  if (row === undefined || container === undefined || row.direction !== 'tx') return [];
  // A missing selector has no pages.
  if (row.mux !== undefined && bindings.get(row.mux.selector) === undefined) return [];
  const multiplexing = row.mux
    ? { switch: row.mux.selector, ranges: row.mux.values.map(parseRawRange) }
    : null;
  const owner = `binding ${quoted(row.id)}`;
  const claims: Claim[] = [];
  const bits = bitsOfBinding(row, codecs.get(row.codec));
  if (bits) {
    claims.push({
      bits: placed(row.id, bits, container.byteOffset, multiplexing),
      binding: index,
      field: 'start_bit',
      owner,
    });
  }
  if (typeof row.validity_bit === 'number') {
    const bit = { startBit: row.validity_bit, length: 1, byteOrder: 'intel' } as const;
    claims.push({
      bits: placed(` validity of ${row.id}`, bit, container.byteOffset, multiplexing),
      binding: index,
      field: 'validity_bit',
      owner: `the validity bit of ${quoted(row.id)}`,
    });
  }
  return claims;
};

const reportOverlap = (claim: Claim, other: Claim, report: Report): void => {
  if (claim.binding < 0) return;
  if (other.binding < 0) {
    const error = `must not overlap bits written by ${other.owner}; move or remove it`;
    report(claim.binding, claim.field, 'protected_bits', error);
  } else {
    const error = `must not overlap ${other.owner}; move one of them, or put them on different pages`;
    report(claim.binding, claim.field, 'overlap', error);
  }
};

/** Limits the time for nested pages, which could be unlimited even for a short file. */
const spareEffort = 20_000_000;
const effortForRange = 1_024;
const maxEffort = 300_000_000;

const standardEffort = ({ draft }: ProjectLinks): number => {
  let ranges = 0;
  for (const { mux } of draft.tables.bindings.rows) ranges += mux?.values.length ?? 1;
  return Math.min(spareEffort + ranges * effortForRange, maxEffort);
};

/** Maximum nesting of selectors. More cannot have their own bits in the longest frame. */
const deepest = 8 * maxFrameBytes;

/**
 * Requires one writer for each bit of a sent message on each page: a binding, a validity bit or
 * a protection. Any number of bindings can read a received bit.
 */
export const checkBitOverlaps = (links: ProjectLinks, effort = standardEffort(links)): void => {
  const { messages } = links.draft.tables;
  const finder = new OverlapFinder(effort, deepest);
  const report = links.reporter('bindings');
  messages.rows.forEach(({ id, direction, length }, index) => {
    const bindings = links.bindingsOfMessage.get(id);
    const wasExhausted = finder.isExhausted;
    if (direction !== 'tx' || bindings === undefined) return;
    const claims = [
      ...protectionClaims(links, id),
      ...bindings.flatMap((binding) => bindingClaims(links, binding)),
    ];
    for (const { signal, other } of finder.find({
      length,
      signals: claims.map(({ bits }) => bits),
    })) {
      const [claim, holder] = [claims[signal], claims[other]];
      if (claim && holder) reportOverlap(claim, holder, report);
    }
    if (!finder.isExhausted || wasExhausted) return;
    const error = 'has more pages and ranges than can be checked for overlaps; use fewer';
    links.draft.report('messages', index, 'id', 'too_complex', error);
  });
};
