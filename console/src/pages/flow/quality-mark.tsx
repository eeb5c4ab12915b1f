import type { Reading, Tone } from './live/reading.ts';

const looks: Readonly<Record<Tone, { sign: string; tone: string; word: string }>> = {
  idle: { sign: '○', tone: 'idle', word: 'idle' },
  good: { sign: '●', tone: 'good', word: 'good' },
  awaited: { sign: '○', tone: 'warn', word: 'no value yet' },
  broken: { sign: '■', tone: 'bad', word: 'broken' },
};

interface QualityMarkProps {
  readonly reading: Reading;
  readonly testId?: string;
}

/** How a node is, by the shape that the drawing has for it and in words. */
export const QualityMark = ({ reading, testId }: QualityMarkProps) => {
  const { sign, tone, word } = looks[reading.tone];
  return (
    <span class="state" data-tone={tone} data-testid={testId}>
      <span aria-hidden="true">{sign}</span> {reading.reason ?? word}
    </span>
  );
};
