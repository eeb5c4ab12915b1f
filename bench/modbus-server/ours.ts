// Our server alone. Prints its port; ends with its input.
import { SystemClock } from '../../src/base/clock/system-clock.ts';
import type { Alarm } from '../../src/base/schedule/scheduler.ts';
import { Scheduler } from '../../src/base/schedule/scheduler.ts';
import { DataModel } from '../../src/modbus/server/data-model.ts';
import { ModbusServer } from '../../src/modbus/server/modbus-server.ts';

const fail = (thrown: unknown): never => {
  throw thrown;
};

const clock = new SystemClock();
const alarm: Alarm = {
  onRing: undefined,
  arm: (atUs) => {
    clock.after((atUs - clock.monotonicUs()) / 1000, () => alarm.onRing?.());
  },
};
const scheduler = new Scheduler({ clock, alarm, onError: fail });
const model = new DataModel();
const values = Number(process.argv[2]);
model.tables.holding.write(
  0,
  Uint16Array.from({ length: values }, (_, index) => index + 1),
);
const server = new ModbusServer({ clock, scheduler, onDefect: fail });
const endpoint = { kind: 'tcp', address: '127.0.0.1', port: 0, key: '', text: '' } as const;
const served = await server.start(endpoint, 1, { model });
console.log(served.kind === 'tcp' ? served.port : 0);
process.stdin.resume().on('end', () => process.exit());
