import { canErrorClass } from '../../frame/can-error-frame.ts';
import { busCode, eventKindCode, frameFlag } from '../../frame/frm2-layout.ts';
import type { TraceEvent } from '../../trace/testing/trace-events.ts';
import { batchOf } from '../../trace/testing/trace-events.ts';
import { compileCondition } from '../compile-condition.ts';
import type { ConditionContext } from '../condition-context.ts';
import { ConditionRun } from '../condition-run.ts';
import { parseCondition } from '../parse-condition.ts';

/**
 * Events as words: `10 123#00FF`, `20 2/18FEF100#01`, `30 error`, `40 2/bus_off`, `50 gap`, `60
 * wait`. Times are in milliseconds; the number before a slash is the channel, else 1.
 */
export interface StoryEvent {
  readonly ms: number;
  readonly event: TraceEvent | 'gap' | 'wait';
}

const plain = { kind: eventKindCode.rx_frame, checksum: 0, dlc: 8 } as const;

export const frameEvent = (ms: number, channel: number, id: string, data: string): TraceEvent => {
  const bytes = [...Buffer.from(data, 'hex')];
  return {
    ...plain,
    timeNs: ms * 1e6,
    channel,
    bus: bytes.length > 8 ? busCode.canfd : busCode.can,
    id: Number.parseInt(id, 16),
    flags: id.length > 3 ? frameFlag.extended : 0,
    data: bytes,
  };
};

export const errorEvent = (ms: number, channel: number, id: number): TraceEvent => ({
  ...plain,
  timeNs: ms * 1e6,
  channel,
  bus: busCode.can,
  id,
  flags: frameFlag.error,
  data: [0, 0, 0, 0, 0, 0, 0, 0],
});

const readEvent = (text: string): StoryEvent => {
  const [time = '', what = ''] = text.split(' ');
  const ms = Number(time);
  if (what === 'gap' || what === 'wait') return { ms, event: what };
  const [rest = '', number] = what.split('/').reverse();
  const channel = Number(number ?? 1);
  if (rest === 'error') return { ms, event: errorEvent(ms, channel, canErrorClass.protocol) };
  if (rest === 'bus_off') return { ms, event: errorEvent(ms, channel, canErrorClass.busOff) };
  const [id = '', data = ''] = rest.split('#');
  return { ms, event: frameEvent(ms, channel, id, data) };
};

export const storyOf = (text: string): StoryEvent[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map(readEvent);

/** Channels are named by their numbers, and nothing has a database. */
export const bareContext = (given: Partial<ConditionContext> = {}): ConditionContext => ({
  databases: [],
  databasesOf: () => [],
  isChannel: (selector, key) => selector === String(key),
  ...given,
});

export const runOf = (texts: string | readonly string[], context = bareContext()): ConditionRun => {
  const compiled = [texts].flat().map((text) => {
    return compileCondition(parseCondition(text, 'when'), 'when', context);
  });
  return new ConditionRun(context, compiled);
};

/** Milliseconds at which the first condition of a run fires. */
export const firingsOf = (run: ConditionRun, story: readonly StoryEvent[]): number[] => {
  const fired: number[] = [];
  const note = (): void => {
    if (run.fired()) fired.push(run.firedAtNs() / 1e6);
  };
  for (const { ms, event } of story) {
    while (run.advance(ms * 1e6)) note();
    if (event === 'wait') continue;
    if (event === 'gap') run.gap();
    else if (run.row(batchOf([event]), 0)) note();
  }
  return fired;
};
