import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../base/testing/long.ts';
import { arbitraryMessage } from '../../signal/testing/arbitrary-message.ts';
import { MessageSampler } from '../decode/message-sampler.ts';
import { ScaledFrames } from '../decode/scaled-frames.ts';
import { SampleBatch } from '../rows/sample-batch.ts';
import type { Series } from '../rows/series.ts';
import { type LongDialect, LongTextEncoder } from './long-text.ts';

const dialect: LongDialect = {
  start: '<',
  head: ({ channel, message, signal }) => `Z ${channel} ${message} ${signal} `,
  middle: ' = ',
  nothing: 'nothing',
  tail: ({ unit }, label) => ` ${unit} ${label ?? '-'}>\n`,
  quote: '"',
};

const textOf = (encoder: LongTextEncoder, batch: SampleBatch): string =>
  Buffer.from(encoder.encode(batch).bytes).toString();

/** The same rows, each by an encoder that has written no other. */
const renderedAlone = (batch: SampleBatch): string => {
  let text = '';
  for (let i = 0; i < batch.count; i++) {
    const one = new SampleBatch(1, batch.series);
    one.append(batch.timeUs[i] as number, 0, batch.of[i] as number, {
      scaled: batch.scaled[i] as number,
      text: batch.texts.get(i) ?? null,
      label: batch.label[i] as number,
    });
    text += textOf(new LongTextEncoder(dialect, 'none', 1), one);
  }
  return text;
};

const labels = [
  { raw: 0n, text: 'Zero' },
  { raw: 1n, text: 'One and a label that is too long for a row that is kept: '.repeat(2) },
  { raw: 2n, text: 'Zwei °' },
];
const scale = fc.constantFrom(
  ['1', '0'],
  ['0.25', '-40'],
  ['-0.1', '0'],
  ['1E-22', '3'],
  ['1E9', '0'],
);
const step = fc.constantFrom(0, 1, 137, 999_999, 1_000_000, 86_400_000_000, -1_500_000);

describe('rows of a long text', () => {
  it('are the same whether the row before, rows of other series, or none are kept', () => {
    const byte = fc.constantFrom(0, 1, 2, 0x7f, 0x80, 0xff);
    const payload = fc.array(byte, { minLength: 8, maxLength: 64 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(arbitraryMessage(4), scale), { minLength: 1, maxLength: 3 }),
        fc.array(fc.tuple(fc.nat({ max: 2 }), payload, step), { minLength: 2, maxLength: 12 }),
        fc.constantFrom(1, 2, 16),
        (drawn, frames, cells) => {
          const scaledFrames = new ScaledFrames(4 * frames.length);
          const samplers = drawn.map(([message, [factor = '1', offset = '0']]) => {
            const signals = message.signals.map((signal) => ({
              ...signal,
              factor,
              offset,
              values: labels,
            }));
            const chosen = signals.map((_, index) => ({ index, column: index }));
            return new MessageSampler({ ...message, signals }, chosen, '1', scaledFrames);
          });
          const { batch } = scaledFrames;
          let timeUs = 1_768_435_200_000_000;
          for (const [number, bytes, stepUs] of frames) {
            timeUs += stepUs;
            const view = new DataView(Uint8Array.from(bytes).buffer);
            const sampler = samplers[number % samplers.length] as MessageSampler;
            sampler.sample(view, 0, bytes.length, timeUs, 0);
          }
          const expected = renderedAlone(batch);
          expect(textOf(new LongTextEncoder(dialect, 'none', cells), batch)).toBe(expected);
          const used = new LongTextEncoder(dialect, 'none');
          expect(textOf(used, batch) + textOf(used, batch)).toBe(expected + expected);
        },
      ),
      { numRuns: cases(8, 200), seed: 34 },
    );
  });

  it('are complete when there are more than the memory at first has room for', () => {
    const name = 'N'.repeat(300);
    const series = [
      {
        channel: '1',
        message: 'M',
        signal: 'S',
        unit: '',
        labels: [],
        places: 1,
        isText: false,
        column: 0,
      },
      {
        channel: '1',
        message: name,
        signal: name,
        unit: '',
        labels: [],
        places: 1,
        isText: false,
        column: 0,
      },
    ];
    const rows = 30_000;
    const batch = new SampleBatch(rows, series);
    const lines: string[] = [];
    for (let i = 0; i < rows; i++) {
      batch.append(i * 1000, i, i % 2, { scaled: i, text: null, label: 0 });
      const { message, signal } = series[i % 2] as Series;
      const time = new Date(i).toISOString().slice(0, -1);
      const value = i % 10 === 0 ? `${i / 10}` : (i / 10).toFixed(1);
      lines.push(`<${time}000Z 1 ${message} ${signal} "${value}" = ${value}  ->\n`);
    }
    expect(textOf(new LongTextEncoder(dialect, 'none'), batch)).toBe(lines.join(''));
  });
});
