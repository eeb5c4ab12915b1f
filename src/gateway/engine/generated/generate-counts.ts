import { timingGroups, timingWindow } from '../../values/task-counters.ts';
import type { RoundTime, SignalStates } from '../signal-states.ts';
import { counter, maxUs, type TaskStates, timing } from '../task-states.ts';
import { generateFunction } from './generate-function.ts';
export interface TaskCounts {
  accepted(): void;
  sent(): void;
}

const maxSignals = 64;

const countText = (task: number, rows: number, name: keyof typeof counter, by: string): string => {
  const sum = counter[name] * rows;
  return `counters[${sum + task + 1}] += ${by};\ncounters[${sum}] += ${by};`;
};

const measureText = (task: number, group: keyof typeof timing): string => {
  const row = task * timingGroups.length + timing[group];
  return `
const whole = Math.floor(us);
const before = counts[${row}];
samples[${row * timingWindow} + (before & ${timingWindow - 1})] = Math.min(whole, ${maxUs});
counts[${row}] = before + 1;
if (whole > maxima[${row}]) maxima[${row}] = whole;`;
};

const earliestText = (signals: readonly number[]): string => {
  const texts = signals.map(
    (signal) =>
      `if (valid[${signal}] === 1 && observedUs[${signal}] < earliestUs) earliestUs = observedUs[${signal}];`,
  );
  return `let earliestUs = Infinity;\n${texts.join('\n')}`;
};

export const generateCounts = (
  task: number,
  sources: readonly number[],
  states: TaskStates,
  signals: SignalStates,
  time: RoundTime,
): TaskCounts | null => {
  if (sources.length > maxSignals) return null;
  const { rows, ...columns } = states.columns();
  const { valid, observedUs } = signals.columns();
  const constants = { ...columns, valid, observedUs, time };
  const accepted = `
${countText(task, rows, 'accepted', '1')}
${countText(task, rows, 'pending', '1')}
const { acceptedUs } = time;
{
  const us = acceptedUs - time.nowUs;
  ${measureText(task, 'tick_to_submit_us')}
}
${earliestText(sources)}
if (earliestUs !== Infinity) {
  const us = Math.max(0, acceptedUs - earliestUs);
  ${measureText(task, 'source_age_at_submit_us')}
}`;
  const sent = `
${countText(task, rows, 'pending', '-1')}
${countText(task, rows, 'sent', '1')}
const us = Math.max(0, time.settledUs - time.submittedUs);
${measureText(task, 'completion_wait_us')}`;
  return {
    accepted: generateFunction<() => void>('', accepted, constants),
    sent: generateFunction<() => void>('', sent, constants),
  };
};
