import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seatRootVariable } from './seat-root.ts';
import type { WebAddress, Workbench } from './workbench.ts';

const root = process.env[seatRootVariable];

/** A place whose daemon is passed from one test to the next in a worker. */
export interface Seat {
  readonly directory: string;
  started?: Started;
}

interface Started extends WebAddress {
  readonly pid: number;
  readonly state: string;
}

type Rows<Name extends string, Row> = Readonly<Record<Name, readonly Row[]>>;

const idle: Seat[] = [];

/** A folder with an empty project. */
export const makePlace = (parent = tmpdir()): string => {
  const directory = realpathSync(mkdtempSync(join(parent, 'busbar-test-')));
  mkdirSync(join(directory, 'project'));
  return directory;
};

export const takeSeat = (): Seat | null =>
  root === undefined ? null : (idle.pop() ?? { directory: makePlace(root) });

/** State that tests cannot revert: how the Web service was started, and links to Modbus units. */
const lastingState = async (bench: Workbench): Promise<string> =>
  JSON.stringify([await bench.call('web.status'), await bench.call('modbus.status')]);

/**
 * Leaves state like any test, so that no test relies on being the first: slots continue, the last
 * log is known.
 */
const use = async (bench: Workbench): Promise<void> => {
  const selector = 'SIM00001/0';
  await bench.call('channel.open', { channel: selector });
  await bench.call('logging.start', { file: 'used.asc' });
  await bench.call('logging.stop');
  await bench.call('channel.close', { selector });
  rmSync(join(bench.project, 'used.asc'));
};

/** Starts the seat's daemon and its Web service, if needed. */
export const startSeat = async (seat: Seat, bench: Workbench): Promise<WebAddress> => {
  if (seat.started === undefined) {
    const address = await bench.startWeb();
    await use(bench);
    seat.started = { ...address, pid: bench.daemonPid ?? 0, state: await lastingState(bench) };
  }
  return seat.started;
};

const reset = async (bench: Workbench): Promise<void> => {
  for (const operation of ['logging.stop', 'replay.stop', 'remote.stop'])
    await bench.call(operation);
  const { recorders } = await bench.call<Rows<'recorders', { name: string }>>('recorder.list');
  for (const { name } of recorders) {
    await bench.call('recorder.stop', { name });
    await bench.call('recorder.remove', { name });
  }
  const { gateways } =
    await bench.call<Rows<'gateways', { instance: string; state: string }>>('gateway.status');
  for (const { instance, state } of gateways) {
    if (state !== 'loaded' && state !== 'stopped') await bench.call('gateway.stop', { instance });
    await bench.call('gateway.unload', { instance });
  }
  const { plans } = await bench.call<Rows<'plans', { plan_id: string }>>('signal.list');
  for (const { plan_id } of plans) await bench.call('signal.plan-delete', { plan_id });
  const { databases } = await bench.call<Rows<'databases', { name: string }>>('database.list');
  for (const { name } of databases) await bench.call('database.unload', { name });
  const { channels } = await bench.call<Rows<'channels', { selector: string }>>('channel.list');
  for (const { selector } of channels) await bench.call('channel.close', { selector });
  for (const name of readdirSync(bench.project))
    rmSync(join(bench.project, name), { recursive: true });
  // Without a bench file, only links that a test opened are listed.
  const { links } = await bench.call<Rows<'links', { ecu: string }>>('isotp.list');
  for (const { ecu } of links) await bench.call('isotp.close', { ecu });
};

/** Returns a seat to its initial state; false if its daemon cannot be reset. */
export const returnSeat = async (seat: Seat, bench: Workbench): Promise<boolean> => {
  const { started } = seat;
  if (started === undefined || bench.daemonPid !== started.pid) return false;
  try {
    await reset(bench);
    if ((await lastingState(bench)) !== started.state) return false;
  } catch {
    return false;
  }
  idle.push(seat);
  return true;
};
