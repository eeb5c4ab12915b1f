import type { RowOf } from '../project.ts';
import { isOneBit, isRegister } from './modbus-words.ts';
import { hasOneOf, type ProjectLinks, quoted, type Report } from './project-links.ts';

type Resource = RowOf<'modbus_resources'>;

/** Returns a key of a word. Endpoints with the same network and unit id write to the same words. */
const wordKey = (links: ProjectLinks, { endpoint: id, table, address }: Resource): string => {
  const endpoint = links.draft.tables.endpoints.get(id);
  const unit = endpoint?.kind === 'modbus' ? [endpoint.network, endpoint.node] : id;
  return JSON.stringify([unit, table, address]);
};

/** Requires one task for each written resource, and one for all bits of a word. */
const checkWriteTasks = (links: ProjectLinks): void => {
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
        const error = isOwn ? 'is given twice' : `is also written by task ${quoted(first)}`;
        report(
          index,
          field,
          isOwn ? 'duplicate_value' : 'several_tasks',
          `${error}: ${quoted(id)}; keep one`,
        );
        return;
      }
      taskOf.set(id, task);
      const resource = modbus_resources.get(id);
      if (resource === undefined) return;
      if (resource.access !== 'write') {
        const error = `must be a resource with access write; ${quoted(id)} has ${resource.access}`;
        report(index, field, 'wrong_access', error);
        return;
      }
      endpoint ??= resource.endpoint;
      if (resource.endpoint !== endpoint) {
        const error = `must be of endpoint ${quoted(endpoint)} like the first; use one task per endpoint`;
        report(index, field, 'mixed_endpoints', error);
      }
      if (!isRegister(resource) || !isOneBit(resource)) return;
      const word = wordKey(links, resource);
      const other = taskOfWord.get(word);
      if (other === undefined) taskOfWord.set(word, task);
      else if (other !== task) {
        const error = `is a bit of a word that task ${quoted(other)} writes; put all bits of a word into one task`;
        report(index, field, 'split_word', error);
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

type TaskRow = RowOf<'tx_tasks'>;

const refuseFields = (
  task: TaskRow,
  fields: readonly (keyof TaskRow)[],
  error: string,
  index: number,
  report: Report,
): void => {
  for (const field of fields) {
    if (task[field] !== undefined) report(index, field, 'not_applicable', error);
  }
};

const checkTiming = (links: ProjectLinks, task: TaskRow, index: number, report: Report): void => {
  if (task.policy === 'on_change') {
    const error = 'applies to policy periodic only: on_change sends when values change';
    refuseFields(task, ['period_ms'], error, index, report);
    return;
  }
  refuseFields(task, ['min_interval_ms'], 'applies to policy on_change only', index, report);
  if (task.period_ms !== undefined) return;
  const message = links.draft.tables.messages.get(task.message ?? '');
  if (task.message !== undefined && (message === undefined || message.period_ms !== undefined)) {
    return;
  }
  const error =
    task.message === undefined
      ? 'is required for periodic resources'
      : 'is required because the message has none; or set the policy to on_change';
  report(index, 'period_ms', 'missing_field', error);
};

const checkRequests = (task: TaskRow, index: number, report: Report): void => {
  if (task.resources !== undefined) {
    const error =
      'must be omitted in mode request: a processor stages frames, so the task needs a message';
    report(index, 'resources', 'conflicting_fields', error);
  }
  const error = 'must be omitted in mode request: a processor stages the frames';
  refuseFields(task, ['policy', 'period_ms', 'min_interval_ms'], error, index, report);
};

const checkMessages = (links: ProjectLinks): void => {
  const { messages, tx_tasks, bindings } = links.draft.tables;
  const report = links.reporter('tx_tasks');
  const reportBinding = links.reporter('bindings');
  for (const [messageId, tasks] of links.tasksOfMessage) {
    const [first, ...others] = tasks.map((index) => tx_tasks.rows[index]);
    const message = messages.get(messageId);
    tasks.forEach((index) => {
      if (message?.direction !== 'rx') return;
      report(index, 'message', 'wrong_direction', `must be tx; ${quoted(messageId)} is rx`);
    });
    others.forEach((_, place) => {
      const error = `is also sent by task ${quoted(first?.id ?? '')}: ${quoted(messageId)}; keep one`;
      report(tasks[place + 1] as number, 'message', 'several_tasks', error);
    });
    if (first?.mode !== 'request') continue;
    for (const index of links.bindingsOfMessage.get(messageId) ?? []) {
      const binding = bindings.rows[index];
      if (binding?.direction !== 'tx') continue;
      const error = `is sent by task ${quoted(first.id)} in mode request, which sends no signals; remove the binding`;
      const field = binding.message === undefined ? 'pdu' : 'message';
      reportBinding(index, field, 'request_message', error);
    }
  }
  const reportMessage = links.reporter('messages');
  messages.rows.forEach(({ id, direction }, index) => {
    if (direction !== 'tx' || links.tasksOfMessage.has(id) || !tx_tasks.isComplete) return;
    reportMessage(index, 'id', 'no_task', 'requires a row in tx_tasks that sends the message');
  });
};

export const checkTxTasks = (links: ProjectLinks): void => {
  const report = links.reporter('tx_tasks');
  links.draft.tables.tx_tasks.rows.forEach((task, index) => {
    if (task.mode === 'request') checkRequests(task, index, report);
    const isRequestOfResources = task.mode === 'request' && task.resources !== undefined;
    const hasTarget =
      isRequestOfResources || hasOneOf(task, ['message', 'resources'], index, report);
    if (task.mode === 'value' && hasTarget) checkTiming(links, task, index, report);
  });
  checkMessages(links);
  checkWriteTasks(links);
};
