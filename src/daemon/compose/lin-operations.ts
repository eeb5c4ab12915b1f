import type { Caller, Dispatcher } from '../../operations/dispatcher.ts';
import {
  linScheduleList,
  linScheduleStart,
  linScheduleStop,
  linScheduleSwitch,
  linSet,
  linSimulate,
} from '../../operations/lin.ts';
import type { NamedSchedules } from '../../transmit/service/named-schedules.ts';
import type { NamedTasks } from '../../transmit/service/named-tasks.ts';

/** LIN operations in the client thread, which knows the names of tables, messages and signals. */
export const bindLinOperations = (
  dispatcher: Dispatcher,
  schedules: NamedSchedules<Caller>,
  tasks: NamedTasks<Caller>,
): void => {
  dispatcher
    .bind(linScheduleStart, ({ arguments: request, caller }) => schedules.start(request, caller))
    .bind(linScheduleList, async () => ({ lin_schedules: await schedules.list() }))
    .bind(linScheduleSwitch, ({ arguments: request, caller }) => schedules.change(request, caller))
    .bind(linScheduleStop, ({ arguments: { schedule_id }, caller }) =>
      schedules.stop(schedule_id, caller),
    )
    .bind(linSet, ({ arguments: { channel, ...request }, caller }) =>
      schedules.change({ schedule_id: channel, ...request }, caller),
    )
    .bind(linSimulate, async ({ arguments: { selector: channel, ...request }, caller }) => ({
      tasks: await tasks.simulate({ channel, ...request }, caller),
    }));
};
