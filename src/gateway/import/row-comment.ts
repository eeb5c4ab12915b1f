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
