const opaqueTags = /"[\x21\x23-\x7e\x80-\xff]*"/g;

/**
 * Whether an If-None-Match header says that the client has the representation already. The
 * comparison is weak (RFC 9110, 8.8.3.2): the `W/` in front of a tag does not count.
 */
export const matchesEntityTag = (
  header: string | readonly string[] | undefined,
  entityTag: string,
): boolean => {
  if (header === undefined) return false;
  const text = typeof header === 'string' ? header : header.join(', ');
  const tags: readonly string[] = text.match(opaqueTags) ?? [];
  return text.trim() === '*' || tags.includes(entityTag);
};
