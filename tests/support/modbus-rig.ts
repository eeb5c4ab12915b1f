import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { SystemClock } from '../../src/base/clock/system-clock.ts';
import { Scheduler } from '../../src/base/schedule/scheduler.ts';
import { PtyPair } from '../../src/base/serial/testing/pty-pair.ts';
import { ModbusClient } from '../../src/modbus/client/modbus-client.ts';
import { DataModel } from '../../src/modbus/server/data-model.ts';
import type { ServerHooks } from '../../src/modbus/server/external-write.ts';
import { ModbusServer } from '../../src/modbus/server/modbus-server.ts';
import type { RegisterMap } from '../../src/modbus/server/register-map.ts';
import { writeBits, writeRegisters } from '../../src/modbus/server/testing/held-data.ts';
import { SessionPool, type SessionPoolOptions } from '../../src/modbus/session/session-pool.ts';
import { TimerAlarm } from '../../src/modbus/session/testing/timer-alarm.ts';
import { isTcp } from '../../src/modbus/transport/endpoint.ts';
import { parseEndpoint } from '../../src/modbus/transport/endpoint-text.ts';
import { systemResolver } from '../../src/modbus/transport/resolve-endpoint.ts';
import { Workbench } from './workbench.ts';

/** Items in each table of the test servers; peers in other languages use the same number. */
export const tableSize = 3000;
export const discreteAt = (address: number): number => (address % 3 === 0 ? 1 : 0);
export const inputAt = (address: number): number => (address * 7919) & 0xffff;

const rethrow = (error: unknown): never => {
  throw error;
};

/** A clock, and a scheduler on it. */
type Time = Pick<SessionPoolOptions, 'clock' | 'scheduler'>;

const setUpScheduler = (): Time => {
  const clock = new SystemClock();
  const alarm = new TimerAlarm(clock);
  onTestFinished(() => alarm.stop());
  return { clock, scheduler: new Scheduler({ clock, alarm, onError: rethrow }) };
};

/** A pool of sessions that ends with the test. */
export const setUpPool = (time: Time = setUpScheduler()): SessionPool => {
  const pool = new SessionPool(time);
  onTestFinished(() => pool.close());
  return pool;
};

/** Our client of unit 1 in this process, with enough time for a busy machine. */
export const connectClient = async (
  endpoint: string,
  pool: SessionPool = setUpPool(),
): Promise<ModbusClient> => {
  const { session } = await pool.acquire(parseEndpoint(endpoint));
  return new ModbusClient(session, 1, 20_000);
};

const everyTable: RegisterMap = (['coil', 'discrete', 'input', 'holding'] as const).map(
  (table) => ({ table, address: 0, count: tableSize }),
);

/** A model with input values, and with an end. */
export const filledModel = (): DataModel => {
  const model = new DataModel(everyTable);
  const addresses = Array.from({ length: tableSize }, (_, address) => address);
  writeBits(
    model,
    'discrete',
    0,
    addresses.map((address) => discreteAt(address) === 1),
  );
  writeRegisters(model, 'input', 0, Uint16Array.from(addresses, inputAt));
  return model;
};

interface Served {
  readonly model: DataModel;
  readonly endpoint: string;
  /** Stops the server before the end of the test. */
  readonly stop: () => Promise<void>;
}

/** A server of unit 1 in this process, whose tables the test can read and write. */
export const serveHere = async (endpoint: string, hooks: ServerHooks = {}): Promise<Served> => {
  const time = setUpScheduler();
  const server = new ModbusServer({ ...time, onDefect: rethrow });
  const model = filledModel();
  const wanted = parseEndpoint(endpoint, { listens: true });
  const resolved = await systemResolver(time.clock)(wanted);
  const served = await server.start(resolved, 1, { model, hooks });
  const stop = () => server.stop();
  onTestFinished(stop);
  const where = isTcp(served) ? `${served.kind}:${served.address}:${served.port}` : endpoint;
  return { model, endpoint: where, stop };
};

/** Gives a command enough time for its response on a busy machine. */
export const patiently = '--timeout-ms=30000';

/** A workbench with one daemon for all tests of the calling group. */
export const useDaemon = (): (() => Workbench) => {
  let bench: Workbench | undefined;
  const started = (): Workbench => {
    if (!bench) throw new Error('No test is running');
    return bench;
  };
  beforeAll(async () => {
    bench = new Workbench();
    await bench.call('daemon.status');
  });
  afterAll(() => bench?.dispose());
  return started;
};

/** The product's server in a daemon of the workbench, with unit 1 or the units of a map. */
export const serveFromDaemon = async (
  bench: Workbench,
  endpoint: string,
  units = '--unit=1',
): Promise<string> => {
  const { address } = await bench.json<{ address: string }>(
    ...['modbus', 'serve', `--endpoint=${endpoint}`, units],
  );
  const where = isTcp(parseEndpoint(endpoint, { listens: true })) ? address : endpoint;
  onTestFinished(async () => {
    await bench.json('modbus', 'stop', `--endpoint=${where}`);
  });
  return where;
};

export const portOf = (endpoint: string): number =>
  Number(endpoint.slice(endpoint.lastIndexOf(':') + 1));

/** Two connected serial ports, which are removed after the test. */
export const setUpWire = async (): Promise<PtyPair> => {
  const pair = await PtyPair.create();
  onTestFinished(() => pair.remove());
  return pair;
};
