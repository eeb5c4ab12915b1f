/** Longest part of an id that comes out of a database: names of files are far shorter. */
const longestName = 128;

/** What the parts of an id keep; a point divides them, so none has one. */
const unusable = /[^A-Za-z0-9_]/gu;
const unusableInNetwork = /[^A-Za-z0-9_.-]/gu;
const unusableFirst = /^[^A-Za-z0-9_]/;

/**
 * Parts of ids for names of a database, which are C identifiers in sound files and anything in
 * others. Names that look alike afterwards are numbered, as are those that the file itself gives
 * twice: `Status`, `Status-2`.
 */
export const rowNames = (names: readonly string[]): readonly string[] => {
  const taken = new Set<string>();
  const nextCounts = new Map<string, number>();
  return names.map((name) => {
    const plain = name.replace(unusable, '_').slice(0, longestName) || '_';
    if (!taken.has(plain)) {
      taken.add(plain);
      return plain;
    }
    // No plain name has a hyphen, so a numbered one meets no other.
    const count = nextCounts.get(plain) ?? 2;
    nextCounts.set(plain, count + 1);
    return `${plain}-${count}`;
  });
};

/** The id of the endpoint of a network, with which all ids of its rows begin. */
export const networkId = (network: string): string =>
  network.replace(unusableInNetwork, '_').replace(unusableFirst, '_');

const longestComment = 65_536;

interface Named {
  readonly name: string;
  /** The name in the file, where an earlier one has it already. */
  readonly sharedName?: string;
  readonly comment: string | null;
}

/** Cut where it is too long, and never through a character. */
const cut = (text: string): string =>
  text.length <= longestComment
    ? text
    : `${text.slice(0, longestComment - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

/** The comment of a row: that of the file, after the name there if the id has another. */
export const commentOf = (
  { name, sharedName = name, comment }: Named,
  id: string,
): { comment?: string } => {
  const isRenamed = !id.endsWith(`.${sharedName}`);
  const lines = [isRenamed ? `In the file: ${sharedName}` : '', comment ?? ''].filter(Boolean);
  return lines.length === 0 ? {} : { comment: cut(lines.join('\n')) };
};
