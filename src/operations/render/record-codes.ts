import { hasHttp, type Operation } from '../define.ts';

/** Codes that records contain, as `recordCodes` has declared them. */
export interface RecordCodes {
  readonly name: string;
  readonly meanings: Readonly<Record<string, string>>;
  /** The fields that hold one, such as `GatewayTask.error.code`. */
  readonly fields: readonly string[];
}

interface Found {
  readonly meanings: Readonly<Record<string, string>>;
  readonly fields: Set<string>;
}

const segmentOf = (keyword: string, holder: string): string => {
  if (holder === 'properties') return `.${keyword}`;
  return keyword === 'items' ? '[]' : '';
};

/** All codes inside the records of some operations, in the order of their names. */
export const recordCodesOf = (operations: readonly Operation[]): readonly RecordCodes[] => {
  const found = new Map<string, Found>();
  const seen = new Set<string>();
  const visit = (node: unknown, path: string, holder: string): void => {
    if (node === null || typeof node !== 'object') return;
    const { $id: name, 'x-codes': meanings } = node as Record<string, unknown>;
    if (typeof name === 'string' && meanings) {
      const known = found.get(name) ?? {
        meanings: meanings as Found['meanings'],
        fields: new Set(),
      };
      known.fields.add(path);
      found.set(name, known);
      return;
    }
    if (typeof name === 'string' && seen.has(name)) return;
    if (typeof name === 'string') seen.add(name);
    const base = typeof name === 'string' ? name : path;
    for (const [keyword, inner] of Object.entries(node)) {
      visit(inner, base + segmentOf(keyword, holder), holder === 'properties' ? '' : keyword);
    }
  };
  for (const { id, result, http } of operations) {
    visit(result, id, '');
    if (hasHttp(http) && http.events) visit(http.events, id, '');
  }
  return [...found]
    .map(([name, { meanings, fields }]) => ({ name, meanings, fields: [...fields].sort() }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
};
