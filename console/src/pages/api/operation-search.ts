import type { Operation } from '../../api/client.ts';

/** Where an operation is served, or why it is not. */
export const httpText = ({ http }: Operation): string =>
  http.available ? `${http.method} ${http.path}` : `none: ${http.reason}`;

/** The words that call an operation on the command line; its name where there are none. */
export const commandText = ({ cli, id }: Operation): string =>
  cli?.usage.replace(/^busbar /, '').replace(/\s+[<[-].*$/, '') ?? id;

/** Whether an operation has every word of a search in its command line, its summary or its route. */
export const matchesOperation = (operation: Operation, search: string): boolean => {
  const { id, summary, permission, cli } = operation;
  const text = `${id} ${summary} ${permission} ${cli?.usage ?? ''} ${httpText(operation)}`;
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));
};
