import type { BenchSource } from '../../bench/channel-table.ts';
import type { Caller, Dispatcher } from '../../operations/dispatcher.ts';
import { routeAdd, routeList, routeRemove } from '../../operations/route.ts';
import { txTaskAdd, txTaskList, txTaskRemove } from '../../operations/tx-task.ts';
import type { Routes } from '../../transmit/routes/routes.ts';
import type { TxTasks } from '../../transmit/tasks/tx-tasks.ts';

interface TransmitContext {
  readonly txTasks: TxTasks;
  readonly routes: Routes;
  /** The bench that a caller has chosen. */
  readonly benchOf: (caller: Caller) => BenchSource;
}

/** Binds what sends by itself once it is set up: transmit tasks and routes. */
export const bindTransmitOperations = (dispatcher: Dispatcher, context: TransmitContext): void => {
  const { txTasks, routes, benchOf } = context;
  dispatcher
    .bind(txTaskAdd, ({ arguments: request, caller }) => txTasks.add(request, benchOf(caller)))
    .bind(txTaskList, () => ({ tx_tasks: txTasks.list() }))
    .bind(txTaskRemove, ({ arguments: { task_id } }) => txTasks.remove(task_id))
    .bind(routeAdd, ({ arguments: request, caller }) => routes.add(request, benchOf(caller)))
    .bind(routeList, () => ({ routes: routes.list() }))
    .bind(routeRemove, ({ arguments: { route_id } }) => routes.remove(route_id));
};
