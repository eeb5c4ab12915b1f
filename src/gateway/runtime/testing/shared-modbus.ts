import type { Clock } from '../../../base/clock/clock.ts';
import type { Scheduler } from '../../../base/schedule/scheduler.ts';
import { ModbusService } from '../../../modbus/service/modbus-service.ts';

/** Modbus as in the daemon, without maps of projects. */
export const sharedModbus = (clock: Clock, scheduler: Scheduler): ModbusService =>
  new ModbusService({
    clock,
    scheduler,
    maxServers: 16,
    readMap: async () => [],
    onServerLost: () => undefined,
    onServerFound: () => undefined,
    onDefect: (thrown) => {
      throw thrown;
    },
  });
