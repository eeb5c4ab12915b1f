import { withField } from '../../base/errors/busbar-error.ts';
import { type Condition, needsDatabases, termsOf } from '../../condition/condition.ts';
import { parseCondition } from '../../condition/parse-condition.ts';
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

/** A trigger with the channels that its conditions name. */
export const triggerRequest = async (
  trigger: TriggerSettings,
  bench: Pick<RecorderBench, 'follow'>,
): Promise<RecordingTrigger> => {
  const channels: Record<string, number> = {};
  const slots = new Set<number>();
  for (const { end, condition } of conditionsOf(trigger)) {
    const selectors = selectorsIn(condition);
    const found = await bench.follow(selectors).catch((thrown: unknown) => {
      throw withField(`trigger.${end}`, thrown);
    });
    for (const [index, { slot, number }] of found.entries()) {
      channels[selectors[index] as string] = number;
      slots.add(slot);
    }
  }
  const { start = null, stop = null, pre_ms = 0, post_ms = 0, once = false } = trigger;
  return { start, stop, pre_ms, post_ms, once, channels, slots: [...slots] };
};
