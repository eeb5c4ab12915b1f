import { eventually, type Workbench } from '../../support/workbench.ts';
import { type BackgroundCommand, runInBackground } from './background-command.ts';
import type { BrokerStats } from './stream-bench.ts';

/** How many consumers of a kind follow a channel now, without a Web service. */
export const consumersOf = async (
  bench: Workbench,
  kind: string,
  channel = 'SIM00001/0',
): Promise<number> => {
  const { broker } = await bench.call<{ broker: BrokerStats }>('channel.stats', {
    selector: channel,
  });
  return broker.consumers.filter((consumer) => consumer.kind === kind).length;
};

/** Starts `message recv` and returns once it follows a channel, so that it misses nothing. */
export const startReceiver = async (
  bench: Workbench,
  ...args: string[]
): Promise<BackgroundCommand> => {
  const before = await consumersOf(bench, 'recv');
  const command = runInBackground(bench, 'message', 'recv', ...args);
  await eventually(async () => {
    if (!command.isRunning) throw new Error(`ended with ${command.stdout}${command.stderr}`);
    return (await consumersOf(bench, 'recv')) > before;
  });
  return command;
};

export const linesOf = (text: string): string[] => text.split('\n').slice(0, -1);
