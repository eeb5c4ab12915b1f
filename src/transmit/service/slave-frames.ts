import { invalidArgument } from '../../base/errors/busbar-error.ts';
import { nearestName } from '../../base/suggest.ts';
import type { Message } from '../../database/model.ts';
import type { AttachedDatabase } from '../../database/service/attached-database.ts';

const isUnconditional = ({ lin }: Message): boolean => lin?.kind === 'unconditional';

const wrongNode = (node: string, problem: string, reason: string, near: string | null = null) =>
  invalidArgument('nodes', `${node} ${problem}${near === null ? '' : `. Did you mean ${near}?`}`, {
    reason,
    node,
    nearest: near,
  });

/** The first network that has all these slaves. */
const networkWith = (
  nodes: readonly string[],
  databases: readonly AttachedDatabase[],
): AttachedDatabase => {
  const slavesOf = ({ lin }: AttachedDatabase) => (lin?.slaves ?? []).map(({ name }) => name);
  const found = databases.find((database) => {
    const slaves = new Set(slavesOf(database));
    return nodes.every((node) => slaves.has(node));
  });
  if (found) return found;
  const known = databases.flatMap(slavesOf);
  const unknown = nodes.find((node) => !known.includes(node));
  if (unknown === undefined) {
    throw wrongNode(nodes[0] ?? '', 'is in another database than others', 'different_databases');
  }
  if (databases.some(({ lin }) => lin?.master === unknown)) {
    throw wrongNode(unknown, 'is the master, not a slave', 'is_master');
  }
  const near = nearestName(unknown, known);
  throw wrongNode(unknown, 'is no slave of an attached LIN database', 'no_such_node', near);
};

/** Frames that these slaves publish, in the order of the nodes. */
export const framesOfSlaves = (
  nodes: readonly string[],
  databases: readonly AttachedDatabase[],
): { readonly network: AttachedDatabase; readonly frames: readonly Message[] } => {
  const repeated = nodes.find((node, index) => nodes.indexOf(node) < index);
  if (repeated !== undefined) throw wrongNode(repeated, 'is given twice', 'repeated');
  const network = networkWith(nodes, databases);
  const published = network.heads.map((head) => network.message(head)).filter(isUnconditional);
  const frames = nodes.flatMap((node) => {
    const own = published.filter(({ lin }) => lin?.publisher === node);
    if (own.length === 0) throw wrongNode(node, 'publishes no frame', 'no_frames');
    return own;
  });
  return { network, frames };
};
