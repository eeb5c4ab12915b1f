import type { WholeRange } from '../../../base/decimal/whole-number.ts';
import type { RowOf } from '../project.ts';
import { circleText } from './circles.ts';
import { type ProjectLinks, quoted, type Report } from './project-links.ts';
import { rawRangeOf } from './value-rules.ts';

type BindingRow = RowOf<'bindings'>;

export interface RawRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** Parses `4` or `4-7`. */
export const parseRawRange = (text: string): RawRange => {
  const [from = '0', to = from] = text.split('-');
  return { from: BigInt(from), to: BigInt(to) };
};

const selectorRange = (
  links: ProjectLinks,
  binding: BindingRow,
  selector: BindingRow,
  index: number,
  report: Report,
): WholeRange | undefined => {
  const field = 'mux.selector';
  const { message, pdu, direction } = binding;
  if (selector.message !== message || selector.pdu !== pdu) {
    const error = `must lie in the same ${pdu === undefined ? 'message' : 'PDU'} as the binding`;
    report(index, field, 'wrong_selector', error);
  } else if (selector.direction !== direction) {
    report(index, field, 'wrong_direction', `must be ${direction}, as the binding is`);
  }
  const codec = links.draft.tables.codecs.get(selector.codec);
  if (codec === undefined || codec.kind === 'e2e') return undefined;
  if (codec.kind === 'native' || codec.raw === 'float32' || codec.raw === 'float64') {
    const error = 'must have a codec with the raw type unsigned, signed or bool';
    report(index, field, 'wrong_selector', error);
    return undefined;
  }
  return rawRangeOf(codec);
};

const checkValues = (
  values: readonly string[],
  range: WholeRange | undefined,
  index: number,
  report: Report,
): void => {
  const pages: (RawRange & { readonly place: number })[] = [];
  values.forEach((text, place) => {
    const field = `mux.values[${place}]`;
    const { from, to } = parseRawRange(text);
    if (from > to) {
      report(index, field, 'out_of_range', `must have its bounds in order: ${to}-${from}`);
      return;
    }
    if (range && to > range.max) {
      const error = `must be raw values of the selector, whose maximum is ${range.max}`;
      report(index, field, 'out_of_bounds', error);
    }
    pages.push({ from, to, place });
  });
  pages.sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : a.place - b.place));
  let end = -1n;
  for (const { from, to, place } of pages) {
    if (from <= end) {
      const error = `overlaps another value: ${quoted(values[place] ?? '')}`;
      report(index, `mux.values[${place}]`, 'duplicate_value', error);
    }
    if (to > end) end = to;
  }
};

/**
 * Reports selectors that depend on themselves. Each binding has at most one selector, so a walk
 * finds them.
 */
const checkCircles = (links: ProjectLinks, report: Report): void => {
  const { bindings } = links.draft.tables;
  const indexOf = new Map(bindings.rows.map(({ id }, index) => [id, index]));
  const seenInWalk = new Int32Array(bindings.rows.length);
  bindings.rows.forEach((_, start) => {
    const walk: number[] = [];
    let at: number | undefined = start;
    while (at !== undefined && seenInWalk[at] === 0) {
      seenInWalk[at] = start + 1;
      walk.push(at);
      at = indexOf.get(bindings.rows[at]?.mux?.selector ?? '');
    }
    if (at === undefined || seenInWalk[at] !== start + 1) return;
    const circle = walk.slice(walk.indexOf(at)).map((place) => bindings.rows[place]?.id ?? '');
    const error = `forms a cycle: ${circleText(circle)}; make one of them independent`;
    report(at, 'mux.selector', 'circular', error);
  });
};

export const checkMux = (links: ProjectLinks): void => {
  const report = links.reporter('bindings');
  const { bindings } = links.draft.tables;
  let hasMux = false;
  bindings.rows.forEach((binding, index) => {
    // A resource has no pages, which was already reported.
    if (binding.mux === undefined || binding.resource !== undefined) return;
    hasMux = true;
    const selector = bindings.get(binding.mux.selector);
    const range = selector && selectorRange(links, binding, selector, index, report);
    checkValues(binding.mux.values, range, index, report);
  });
  if (hasMux) checkCircles(links, report);
};
