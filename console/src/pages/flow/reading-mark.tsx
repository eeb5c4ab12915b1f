import { StateMark } from '../../ui/state-mark.tsx';
import type { Reading, Tone } from './live/reading.ts';

/** Which state of the console a tone is like: the drawing has the same shapes. */
const states: Readonly<Record<Tone, string>> = {
  idle: 'off',
  good: 'ok',
  awaited: 'awaited',
  broken: 'failed',
};

interface ReadingMarkProps {
  readonly reading: Reading;
  readonly testId?: string;
}

/** How a node is, by shape and in words. */
export const ReadingMark = ({ reading: { tone, reason }, testId }: ReadingMarkProps) => (
  <StateMark
    state={states[tone]}
    label={reason ?? (tone === 'awaited' ? 'no value yet' : tone)}
    {...(testId === undefined ? {} : { testId })}
  />
);
