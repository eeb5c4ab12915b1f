/** Maximum length of the part of an id that comes from a database. */
const maxNameLength = 128;

/** Characters that an id cannot contain; a point separates its parts. */
const unusable = /[^A-Za-z0-9_]/gu;
const unusableInNetwork = /[^A-Za-z0-9_.-]/gu;
const unusableFirst = /^[^A-Za-z0-9_]/;

/**
 * Id parts for names of a database, which may contain any character. Names that become equal
 * are numbered: `Status`, `Status-2`.
 */
export const rowNames = (names: readonly string[]): readonly string[] => {
  const taken = new Set<string>();
  const nextCounts = new Map<string, number>();
  return names.map((name) => {
    const plain = name.replace(unusable, '_').slice(0, maxNameLength) || '_';
    if (!taken.has(plain)) {
      taken.add(plain);
      return plain;
    }
    // No plain name has a hyphen, so numbered names do not collide.
    const count = nextCounts.get(plain) ?? 2;
    nextCounts.set(plain, count + 1);
    return `${plain}-${count}`;
  });
};

/** The id of the endpoint of a network, which is the prefix of the ids of its rows. */
export const networkId = (network: string): string =>
  network.replace(unusableInNetwork, '_').replace(unusableFirst, '_');

const maxCommentLength = 65_536;

interface Named {
  readonly name: string;
  /** The name in the file if an earlier row has it already. */
  readonly sharedName?: string;
  readonly comment: string | null;
}

const cut = (text: string): string =>
  text.length <= maxCommentLength
    ? text
    : `${text.slice(0, maxCommentLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

/** The comment in the file, preceded by the original name if the id differs. */
export const commentOf = (
  { name, sharedName = name, comment }: Named,
  id: string,
): { comment?: string } => {
  const isRenamed = !id.endsWith(`.${sharedName}`);
  const lines = [isRenamed ? `In the file: ${sharedName}` : '', comment ?? ''].filter(Boolean);
  return lines.length === 0 ? {} : { comment: cut(lines.join('\n')) };
};
