/** Everything about an operation that a filter can find, in lower case. */
const textOf = ({ id, summary, permission, cli, http }) =>
  [id, summary, permission, cli?.usage, http.method, http.path]
    .filter((part) => typeof part === 'string')
    .join(' ')
    .toLowerCase();

/** Whether an operation holds every word of the query. */
export const matchesQuery = (operation, query) => {
  const text = textOf(operation);
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};
