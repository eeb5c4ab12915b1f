import { call } from '../api/client.ts';
import type { GatewayFault, GatewayInstance, GatewaySignal } from '../api/schema.ts';
import { pollHealth } from '../state/connection.ts';
import { followedInstance } from './followed-instance.ts';

/** Large projects take their time to be read and written. */
export const projectMs = 120_000;
/** A stop waits for outcomes, a start for links and plugins. */
const runMs = 30_000;

const learn = (record: GatewayInstance): void => {
  followedInstance(record.instance).learnStatus(record);
  void pollHealth();
};

export const startInstance = async (instance: string): Promise<void> =>
  learn(await call('gateway.start', { params: { instance }, limitMs: runMs }));

export const stopInstance = async (instance: string): Promise<void> =>
  learn(await call('gateway.stop', { params: { instance }, limitMs: runMs }));

export const saveInstance = async (instance: string, file: string): Promise<void> => {
  const body = file === '' ? {} : { file };
  await call('gateway.save', { params: { instance }, body, limitMs: projectMs });
};

export const unloadInstance = async (instance: string): Promise<void> => {
  await call('gateway.unload', { params: { instance } });
  void pollHealth();
};

/** Sends a value once; what is shown from then on is what the service answered. */
export const setSignal = async (
  instance: string,
  signal: string,
  value: string,
): Promise<GatewaySignal> => {
  const entry = await call('gateway.set', { params: { instance }, body: { signal, value } });
  followedInstance(instance).learnSignal(entry);
  return entry;
};

export const switchFault = async (
  instance: string,
  rule: string,
  enabled: boolean,
): Promise<GatewayFault> => {
  const answer = await call('gateway.fault', { params: { instance, rule }, body: { enabled } });
  followedInstance(instance).learnFault(answer);
  void pollHealth();
  return answer;
};
