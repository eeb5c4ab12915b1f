// Reads ten registers with our client: for each line of input so many times, then prints the
// rate. Usage: measure <port> <requests>
import { createInterface } from 'node:readline';
import type { Clock } from '../../src/base/clock/clock.ts';
import { SystemClock } from '../../src/base/clock/system-clock.ts';
import type { Alarm } from '../../src/base/schedule/scheduler.ts';
import { Scheduler } from '../../src/base/schedule/scheduler.ts';
import { ModbusClient } from '../../src/modbus/client/modbus-client.ts';
import { SessionPool } from '../../src/modbus/session/session-pool.ts';

const [port, requests] = process.argv.slice(2).map(Number) as [number, number];

/** A minimal alarm for time-outs that never occur. */
const alarmOf = (clock: Clock): Alarm => {
  const alarm: Alarm = {
    onRing: undefined,
    arm: (atUs) => {
      clock.after(Math.max(1, (atUs - clock.monotonicUs()) / 1000), () => alarm.onRing?.());
    },
  };
  return alarm;
};

const clock = new SystemClock();
const onError = (error: unknown): never => {
  throw error;
};
const scheduler = new Scheduler({ clock, alarm: alarmOf(clock), onError });
const pool = new SessionPool({ clock, scheduler });
const { session } = await pool.acquire({ kind: 'tcp', host: '127.0.0.1', port });
const client = new ModbusClient(session, 1);
const read = async (): Promise<void> => {
  for (let i = 0; i < requests; i++) {
    const registers = await client.read('holding', 0, 10);
    if (registers[9] !== 1009) throw new Error('a wrong value');
  }
};
for await (const _ of createInterface({ input: process.stdin })) {
  const start = performance.now();
  await read();
  console.log((1000 * requests) / (performance.now() - start));
}
process.exit();
