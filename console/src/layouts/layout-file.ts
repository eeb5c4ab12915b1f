import { problemsOf } from '../../../src/base/json-schema/check-value.ts';
import {
  type LayoutView,
  layoutSchema,
  layoutSchemas,
  type SavedLayout,
  viewOf,
} from './layout-schema.ts';
import { viewsOf } from './pane-tree.ts';

export const layoutEnding = '.layout.json';
export const maxPanes = 12;

export type ReadLayout =
  | { readonly layout: SavedLayout; readonly problems: null }
  | { readonly layout: null; readonly problems: readonly string[] };

const refused = (...problems: readonly string[]): ReadLayout => ({ layout: null, problems });

const tooManyPanes = `panes must be at most ${maxPanes}.`;

const depthOf = (value: unknown): number => {
  const isInner = (each: unknown): boolean => typeof each === 'object' && each !== null;
  let depth = 0;
  for (let level = [value].filter(isInner); level.length > 0 && depth <= 2 * maxPanes; depth++) {
    level = level.flatMap((each) => Object.values(each as object).filter(isInner));
  }
  return depth;
};

/** Page that a view occupies; parts that can be shown next to their page occupy none. */
export const placeOf = (view: LayoutView): string => {
  const { page, isWhole = false } = viewOf(view) ?? {};
  return isWhole ? `page ${page}` : view;
};

/** Reads a layout, or names the fields that are wrong. */
export const readLayout = (text: string): ReadLayout => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused('The file is not JSON.');
  }
  // A check of the schema calls itself for each level.
  if (depthOf(value) > 2 * maxPanes) return refused(tooManyPanes);
  const problems = problemsOf(layoutSchema, value, layoutSchemas);
  if (problems.length > 0) {
    return refused(...problems.map(({ field, message }) => `${field || 'The file'} ${message}.`));
  }
  const layout = value as SavedLayout;
  const views = viewsOf(layout.panes);
  const places = views.map(placeOf);
  const repeated = views.find((_, at) => places.indexOf(places[at] ?? '') < at);
  if (repeated !== undefined) {
    return refused(`panes must show each page once, and shows that of ${repeated} twice.`);
  }
  if (views.length > maxPanes) return refused(tooManyPanes);
  return { layout, problems: null };
};

export const layoutText = (layout: SavedLayout): string => `${JSON.stringify(layout, null, 2)}\n`;

const through = async (
  data: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
) =>
  new Uint8Array(await new Response(new Blob([data]).stream().pipeThrough(stream)).arrayBuffer());

/** A layout as a part of an address: compressed, in Base64 without characters that links escape. */
export const packLayout = async (layout: SavedLayout): Promise<string> => {
  const text = new TextEncoder().encode(JSON.stringify(layout));
  const packed = await through(text, new CompressionStream('deflate-raw'));
  const base64 = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
};

/** Text of a packed layout; null if it is damaged. */
export const unpackLayout = async (packed: string): Promise<string | null> => {
  try {
    const base64 = packed.replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    return new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw')));
  } catch {
    return null;
  }
};
