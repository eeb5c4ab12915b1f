import { BusbarError, withField } from '../../base/errors/busbar-error.ts';
import type { ConditionDatabase } from '../../condition/condition-context.ts';
import { contextOf } from '../../condition/condition-setup.ts';
import { conditionError } from '../../condition/scanner.ts';
import {
  BenchConditions,
  type BenchNames,
  keyOf,
} from '../../condition/service/bench-conditions.ts';
import type { Bus } from '../../frame/frm2-layout.ts';
import { type Check, conditionsOf } from '../check.ts';
import type { CheckEnvironment } from '../check-record.ts';
import type { CheckContext } from '../check-run.ts';
import type { BusRates } from '../rules/load-evaluator.ts';

export interface BenchChannel {
  readonly slot: number;
  /** Its number in logs, which is its channel in rows and reports. */
  readonly number: number;
  readonly selector: string;
  readonly name: string | null;
  readonly bus: Bus;
  readonly mode: string;
  readonly bitrate: number;
  readonly data_bitrate: number | null;
}

/** Names as the bench and the databases of its channels know them. */
export interface LiveNames<Caller> extends Omit<BenchNames<Caller>, 'channels'> {
  channels(): Promise<readonly BenchChannel[]>;
}

export interface LiveSetup {
  readonly context: CheckContext;
  readonly channels: readonly BenchChannel[];
  /** Keys of the channels. */
  readonly keys: readonly number[];
  /** Databases of these channels, with the numbers of their channels. */
  readonly databases: ReadonlyMap<string, readonly number[]>;
}

const numbered = (channel: BenchChannel) => ({ ...channel, slot: channel.number });

/** Names of the bench, with the numbers of some channels instead of their slots. */
const namesOf = <Caller>(
  names: LiveNames<Caller>,
  channels: readonly BenchChannel[],
): BenchNames<Caller> => {
  const slotAt = (number: number): number =>
    channels.find((channel) => channel.number === number)?.slot ?? -1;
  return {
    channels: async () => channels.map(numbered),
    slotOf: async (selector, caller) => {
      const slot = await names.slotOf(selector, caller);
      const found = channels.find((channel) => channel.slot === slot);
      if (found !== undefined) return found.number;
      throw new BusbarError('channel_not_open', {
        message: `${selector} is not among the checked channels`,
        details: { channel: selector },
      });
    },
    databasesOf: (number) => names.databasesOf(slotAt(number)),
    pairsOf: (number) => names.pairsOf(slotAt(number)),
    checkedMessage: (instance, message) => names.checkedMessage(instance, message),
  };
};

/** Channels of a request, or all open ones. */
export const chosenChannels = async <Caller>(
  selectors: readonly string[] | undefined,
  names: LiveNames<Caller>,
  caller: Caller,
): Promise<readonly BenchChannel[]> => {
  const open = await names.channels();
  if (selectors === undefined) {
    if (open.length > 0) return open;
    throw new BusbarError('channel_not_open', { message: 'No channel is open' });
  }
  const slots = new Set<number>();
  try {
    for (const selector of selectors) slots.add(await names.slotOf(selector, caller));
  } catch (thrown) {
    throw withField('channels', thrown);
  }
  return open.filter(({ slot }) => slots.has(slot));
};

const ratesOf = ({ bitrate, data_bitrate }: BenchChannel): BusRates => ({
  bitrate,
  dataBitrate: data_bitrate,
});

const refuseUnknown = (check: Check, { refuseChannel }: CheckContext): void => {
  if (check.on === null) return;
  const { channel, at } = check.on;
  const reason = refuseChannel?.(channel) ?? null;
  if (reason === null) return;
  throw conditionError(
    check.field,
    at,
    'a channel',
    `expected a channel at offset ${at}: ${reason}`,
  );
};

/** Looks up the names in checks on the bench, once: what changes later has no part in it. */
export const liveSetup = async <Caller>(
  checks: readonly Check[],
  channels: readonly BenchChannel[],
  names: LiveNames<Caller>,
  caller: Caller,
): Promise<LiveSetup> => {
  const conditions = checks.flatMap(({ rule }) => conditionsOf(rule));
  const selectors = checks.flatMap(({ on }) => (on === null ? [] : [on.channel]));
  const bench = new BenchConditions(namesOf(names, channels));
  const setup = await bench.setup(conditions, caller, selectors);
  const attached = new Map<number, readonly ConditionDatabase[]>();
  const rates = new Map<number, BusRates>();
  const files = new Map<string, number[]>();
  for (const channel of channels) {
    const key = keyOf(numbered(channel));
    const databases = names.databasesOf(channel.slot);
    attached.set(key, databases);
    rates.set(key, ratesOf(channel));
    for (const { name } of databases) {
      files.set(name, [...(files.get(name) ?? []), channel.number]);
    }
  }
  const context: CheckContext = {
    ...contextOf(setup),
    databases: [...new Set([...attached.values()].flat())],
    databasesOf: (key) => attached.get(key) ?? [],
    ratesOf: (key) => rates.get(key) ?? null,
  };
  for (const check of checks) refuseUnknown(check, context);
  return { context, channels, keys: [...attached.keys()], databases: files };
};

export const channelEnvironment = ({
  number,
  bus,
  name,
  selector,
  mode,
  bitrate,
  data_bitrate,
}: BenchChannel): CheckEnvironment['channels'][number] => ({
  ...{ channel: number, bus, name, selector },
  ...{ mode, bitrate, data_bitrate },
});
