import { type Caller, type Dispatcher, PreparedCall } from '../../operations/dispatcher.ts';
import {
  txTaskAdd,
  txTaskImport,
  txTaskList,
  txTaskMessage,
  txTaskRemove,
  txTaskSet,
} from '../../operations/tx-task.ts';
import type { NamedTaskRequest, NamedTasks } from '../../transmit/service/named-tasks.ts';
import type { TxTaskRecord } from '../../transmit/tasks/tx-task-record.ts';

/** Transmit tasks in the client thread, which knows the names of messages and signals. */
export const bindNamedTasks = (dispatcher: Dispatcher, tasks: NamedTasks<Caller>): void => {
  const shownOne = async (result: unknown) => (await tasks.shown([result as TxTaskRecord]))[0];
  dispatcher
    .bindPreparation(txTaskAdd, async (request, caller) => {
      const prepared = await tasks.prepare(request as NamedTaskRequest, caller);
      if (prepared === null) return request;
      return new PreparedCall(prepared.request, shownOne, prepared.refused);
    })
    .bindPreparation(
      txTaskList,
      async (request) =>
        new PreparedCall(request, async (result) => {
          const { tx_tasks } = result as { tx_tasks: TxTaskRecord[] };
          return { tx_tasks: await tasks.shown(tx_tasks) };
        }),
    )
    .bindPreparation(txTaskRemove, async (request) => {
      await tasks.keep(request.task_id);
      return new PreparedCall(request, (result) => tasks.removed(result as TxTaskRecord));
    })
    .bind(txTaskSet, ({ arguments: request }) => tasks.set(request))
    .bind(txTaskMessage, ({ arguments: { task_id } }) => tasks.message(task_id))
    .bind(txTaskImport, ({ arguments: request, caller }) => tasks.addNode(request, caller));
};
