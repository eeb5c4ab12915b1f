import { call, type GatewayFault, type GatewaySignal } from '../api/client.ts';
import { gateways } from '../state/gateways.ts';
import { followedInstance } from './followed-instance.ts';

export const projectMs = 120_000;
/** A stop waits for pending results, a start for links and plugins. */
const runMs = 30_000;

const runOperation = async (
  operation: 'gateway.start' | 'gateway.stop',
  instance: string,
): Promise<void> => {
  const before = followedInstance(instance).status.peek();
  // A stop must not wait for long requests.
  const isUrgent = operation === 'gateway.stop';
  const record = await call(operation, { instance }, { limitMs: runMs, isUrgent });
  followedInstance(instance).learnStatus(record, before);
  void gateways.refresh();
};

export const startInstance = (instance: string): Promise<void> =>
  runOperation('gateway.start', instance);

export const stopInstance = (instance: string): Promise<void> =>
  runOperation('gateway.stop', instance);

export const unloadInstance = async (instance: string): Promise<void> => {
  await call('gateway.unload', { instance });
  void gateways.refresh();
};

export const setSignal = async (
  instance: string,
  signal: string,
  value: string,
): Promise<GatewaySignal> => {
  const entry = await call('gateway.set', { instance, signal, value });
  followedInstance(instance).learnSignal(entry);
  return entry;
};

export const switchFault = async (
  instance: string,
  rule: string,
  enabled: boolean,
): Promise<GatewayFault> => {
  const before = followedInstance(instance).faults.peek().get(rule);
  const answer = await call('gateway.fault', { instance, rule, enabled });
  followedInstance(instance).learnFault(answer, before);
  void gateways.refresh();
  return answer;
};
