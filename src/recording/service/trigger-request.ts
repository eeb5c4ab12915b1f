import { BusbarError, withField } from '../../base/errors/busbar-error.ts';
import { type Condition, needsDatabases, termsOf } from '../../condition/condition.ts';
import type { ProtectedMessage } from '../../condition/condition-context.ts';
import { guardedName, namesIn } from '../../condition/condition-setup.ts';
import { parseCondition } from '../../condition/parse-condition.ts';
import { busCode } from '../../frame/frm2-layout.ts';
import { channelKey } from '../../trace/channel-key.ts';
import type { TriggerSettings } from '../recorder-settings.ts';
import type { RecordingTrigger } from '../recording-request.ts';
import type { RecorderBench } from './named-recorder.ts';

const ends = ['start', 'stop'] as const;

const conditionsOf = (trigger: TriggerSettings) =>
  ends.flatMap((end) => {
    const text = trigger[end];
    return text === undefined ? [] : [{ end, condition: parseCondition(text, `trigger.${end}`) }];
  });

const selectorsIn = (condition: Condition): string[] => {
  const named = termsOf(condition).flatMap(({ on }) => (on ? [on.channel] : []));
  return [...new Set(named)];
};

/** Whether the conditions name signals. */
export const readsSignals = (trigger: TriggerSettings): boolean =>
  conditionsOf(trigger).some(({ condition }) => needsDatabases(condition));

/** A protected message of a gateway, with its network in place of its channels. */
export type GatewayMessage = Omit<ProtectedMessage, 'channels'> & { readonly network: string };

/** Finds a message of a gateway, or says why it cannot be checked. */
export type FindGatewayMessage = (instance: string, message: string) => GatewayMessage | string;

type Follow = Pick<RecorderBench, 'follow'>['follow'];

/** What refuses a name is the caller's error; anything else is a defect. */
const messageOf = (find: () => GatewayMessage | string): GatewayMessage | string => {
  try {
    return find();
  } catch (thrown) {
    if (thrown instanceof BusbarError && thrown.row.status < 500) return thrown.message;
    throw thrown;
  }
};

const guardedBy = async (
  condition: Condition,
  find: FindGatewayMessage,
  follow: Follow,
): Promise<Record<string, ProtectedMessage | string>> => {
  const all: Record<string, ProtectedMessage | string> = {};
  for (const { instance, message } of namesIn([condition]).guarded) {
    const name = guardedName(instance, message);
    const found = messageOf(() => find(instance, message));
    if (typeof found === 'string') {
      all[name] = found;
      continue;
    }
    const { network, ...rest } = found;
    const channels = await follow([network]);
    all[name] = {
      ...rest,
      channels: channels.map(({ number }) => channelKey(number, busCode.can)),
    };
  }
  return all;
};

/** A trigger with the channels and messages that its conditions name. */
export const triggerRequest = async (
  trigger: TriggerSettings,
  bench: Pick<RecorderBench, 'follow'>,
  find: FindGatewayMessage,
): Promise<RecordingTrigger> => {
  const channels: Record<string, number> = {};
  const guarded: Record<string, ProtectedMessage | string> = {};
  const slots = new Set<number>();
  for (const { end, condition } of conditionsOf(trigger)) {
    const follow: Follow = async (selectors) => {
      const found = await bench.follow(selectors).catch((thrown: unknown) => {
        throw withField(`trigger.${end}`, thrown);
      });
      for (const { slot } of found) slots.add(slot);
      return found;
    };
    const selectors = selectorsIn(condition);
    for (const [index, { number }] of (await follow(selectors)).entries()) {
      channels[selectors[index] as string] = number;
    }
    Object.assign(guarded, await guardedBy(condition, find, follow));
  }
  const { start = null, stop = null, pre_ms = 0, post_ms = 0, once = false } = trigger;
  return { start, stop, pre_ms, post_ms, once, channels, slots: [...slots], guarded };
};
