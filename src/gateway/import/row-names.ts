/** Maximum length of an id part that is a database name. */
const maxNameLength = 128;

/** Characters that are invalid in an id. A dot separates its parts. */
const unusable = /[^A-Za-z0-9_]/gu;
const unusableInNetwork = /[^A-Za-z0-9_.-]/gu;
const unusableFirst = /^[^A-Za-z0-9_]/;

/**
 * Converts database names to id parts. Names that become equal are numbered: `Status`, `Status-2`.
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
    // A converted name has no hyphen, so numbered names do not collide.
    const count = nextCounts.get(plain) ?? 2;
    nextCounts.set(plain, count + 1);
    return `${plain}-${count}`;
  });
};

/** Returns the id of a network's endpoint, which prefixes the ids of its rows. */
export const networkId = (network: string): string =>
  network.replace(unusableInNetwork, '_').replace(unusableFirst, '_');

const maxCommentLength = 65_536;

interface Named {
  readonly name: string;
  /** Name in the file, if an earlier row already has it. */
  readonly sharedName?: string;
  readonly comment: string | null;
}

const cut = (text: string): string =>
  text.length <= maxCommentLength
    ? text
    : `${text.slice(0, maxCommentLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

/** Returns the comment in the file, preceded by the original name if the id differs. */
export const commentOf = (
  { name, sharedName = name, comment }: Named,
  id: string,
): { comment?: string } => {
  const isRenamed = !id.endsWith(`.${sharedName}`);
  const lines = [isRenamed ? `In the file: ${sharedName}` : '', comment ?? ''].filter(Boolean);
  return lines.length === 0 ? {} : { comment: cut(lines.join('\n')) };
};
