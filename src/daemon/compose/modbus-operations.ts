import type { Clock } from '../../base/clock/clock.ts';
import type { BenchSource } from '../../bench/channel-table.ts';
import type { ModbusService } from '../../modbus/service/modbus-service.ts';
import type { Caller, Dispatcher } from '../../operations/dispatcher.ts';
import { mostScanMs } from '../../operations/limits.ts';
import {
  modbusPoll,
  modbusRead,
  modbusScan,
  modbusServe,
  modbusStatus,
  modbusStop,
  modbusWrite,
} from '../../operations/modbus.ts';
import { modbusRegisters } from '../../operations/modbus-stream.ts';
import { PollOutlet } from '../ipc/poll-outlet.ts';

interface ModbusContext {
  readonly modbus: ModbusService;
  /** The bench that a caller has chosen. */
  readonly benchOf: (caller: Caller) => BenchSource;
}

/** Binds what the bench thread does with Modbus. */
export const bindModbusOperations = (dispatcher: Dispatcher, context: ModbusContext): void => {
  const { modbus, benchOf } = context;
  const { polls, requests, scans, servers } = modbus;
  dispatcher
    .bind(modbusRead, ({ arguments: request, caller }) =>
      requests.read(request, benchOf(caller), caller.signal),
    )
    .bind(modbusWrite, ({ arguments: request, caller }) =>
      requests.write(request, benchOf(caller), caller.signal),
    )
    .bindSource(modbusPoll, ({ arguments: request, caller }, signal, emit) =>
      polls.poll(request, benchOf(caller), signal, emit),
    )
    .bind(modbusScan, ({ arguments: request, caller }) => {
      const { signal, report, face } = caller;
      return scans.scan(request, benchOf(caller), { signal, report, mostMs: mostScanMs[face] });
    })
    .bind(modbusServe, ({ arguments: request, caller }) => servers.serve(request, benchOf(caller)))
    .bind(modbusStop, ({ arguments: request, caller }) => servers.stop(request, benchOf(caller)))
    .bind(modbusRegisters, ({ arguments: request, caller }) =>
      servers.registers(request, benchOf(caller)),
    )
    .bind(modbusStatus, () => modbus.status());
};

/** Binds where the results of a poll go, in the thread of its caller. */
export const bindPollOutlet = (dispatcher: Dispatcher, clock: Clock): void => {
  dispatcher.bindOutlet(modbusPoll, ({ arguments: { polls, duration_ms } }, sink) => {
    return new PollOutlet({ sink, clock, end: { count: polls, duration_ms } });
  });
};
