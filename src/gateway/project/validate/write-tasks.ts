import type { RowOf } from '../project.ts';
import { isOneBit, isRegister } from './modbus-words.ts';
import { type ProjectLinks, quoted } from './project-links.ts';

type Resource = RowOf<'modbus_resources'>;

/** The word that a resource lies in: endpoints of one network and unit id write to the same. */
const wordKey = (links: ProjectLinks, { endpoint: id, table, address }: Resource): string => {
  const endpoint = links.draft.tables.endpoints.get(id);
  const unit = endpoint?.kind === 'modbus' ? [endpoint.network, endpoint.node] : id;
  return JSON.stringify([unit, table, address]);
};

/** Each resource to write is the business of one task, and so are all bits of one word. */
export const checkWriteTasks = (links: ProjectLinks): void => {
  const { modbus_resources, tx_tasks } = links.draft.tables;
  const report = links.reporter('tx_tasks');
  const taskOf = new Map<string, string>();
  const taskOfWord = new Map<string, string>();
  tx_tasks.rows.forEach(({ id: task, resources = [] }, index) => {
    let endpoint: string | undefined;
    resources.forEach((id, place) => {
      const field = `resources[${place}]`;
      const first = taskOf.get(id);
      if (first !== undefined) {
        const isOwn = first === task;
        const flaw = isOwn ? 'is given twice' : `is written by task ${quoted(first)} too`;
        report(
          index,
          field,
          isOwn ? 'duplicate_value' : 'several_tasks',
          `${flaw}: ${quoted(id)}; keep one`,
        );
        return;
      }
      taskOf.set(id, task);
      const resource = modbus_resources.get(id);
      if (resource === undefined) return;
      if (resource.access !== 'write') {
        const flaw = `must be a resource with access write; ${quoted(id)} has ${resource.access}`;
        report(index, field, 'wrong_access', flaw);
        return;
      }
      endpoint ??= resource.endpoint;
      if (resource.endpoint !== endpoint) {
        const flaw = `must be of endpoint ${quoted(endpoint)} like the first; make a task for each endpoint`;
        report(index, field, 'mixed_endpoints', flaw);
      }
      if (!isRegister(resource) || !isOneBit(resource)) return;
      const word = wordKey(links, resource);
      const other = taskOfWord.get(word);
      if (other === undefined) taskOfWord.set(word, task);
      else if (other !== task) {
        const flaw = `is a bit of a word that task ${quoted(other)} writes; put all bits of a word into one task`;
        report(index, field, 'split_word', flaw);
      }
    });
  });
  if (!tx_tasks.isComplete) return;
  const reportResource = links.reporter('modbus_resources');
  modbus_resources.rows.forEach(({ id, access }, index) => {
    if (access !== 'write' || taskOf.has(id)) return;
    reportResource(index, 'id', 'no_task', 'needs a row in tx_tasks that writes the resource');
  });
};
