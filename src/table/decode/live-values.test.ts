import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../base/testing/long.ts';
import type { Message, Signal } from '../../database/model.ts';
import { compileDecoder } from '../../signal/compile-decoder.ts';
import { SampleText } from '../../signal/sample-text.ts';
import { arbitraryMessage } from '../../signal/testing/arbitrary-message.ts';
import { csvTable } from '../text/csv-table.ts';
import { MessageSampler } from './message-sampler.ts';
import { ScaledFrames } from './scaled-frames.ts';

const scales = fc.constantFrom(
  ['1', '0'],
  ['0.25', '-40'],
  ['-0.1', '0'],
  ['1E-7', '3'],
  ['1000', '-1E3'],
  ['0.0000000000000000000001', '0'],
  ['3.4E+038', '0'],
);

const scaled = (message: Message, texts: readonly (readonly string[])[]): Message => ({
  ...message,
  signals: message.signals.map((signal, at): Signal => {
    const [factor = '1', offset = '0'] = texts[at % texts.length] ?? [];
    return {
      ...signal,
      factor,
      offset,
      values: [
        { raw: 0n, text: 'Zero' },
        { raw: 1n, text: 'One' },
      ],
    };
  }),
});

/** At most 53 bits in the first 64 bytes: most of these are scaled in doubles. */
const shortened = (message: Message): Message => ({
  ...message,
  signals: message.signals.map(
    (signal): Signal => ({
      ...signal,
      kind: signal.kind === 'signed' ? 'signed' : 'unsigned',
      length: Math.min(signal.length, 53),
      startBit: signal.startBit % 455,
    }),
  ),
});

describe('values of a table', () => {
  it('equal those of a live plan to the last digit, in every shape of signal', () => {
    const payload = fc.uint8Array({ minLength: 0, maxLength: 64 });
    const frame = fc.oneof(
      payload,
      payload.map((bytes) => bytes.fill(0)),
      payload.map((bytes) => bytes.fill(0xff)),
    );
    fc.assert(
      fc.property(
        fc.oneof(arbitraryMessage(6), arbitraryMessage(6).map(shortened)),
        fc.array(scales, { minLength: 1, maxLength: 4 }),
        fc.array(frame, { minLength: 1, maxLength: 8 }),
        (drawn, texts, frames) => {
          const message = scaled(drawn, texts);
          const decoder = compileDecoder(message);
          const values = decoder.newValues();
          const live = new SampleText(decoder.signals);
          const chosen = message.signals.map((_, index) => ({ index, column: index }));
          const scaledFrames = new ScaledFrames(frames.length * chosen.length);
          const sampler = new MessageSampler(message, chosen, '1', scaledFrames);
          const { batch } = scaledFrames;
          const expected = frames.flatMap((bytes, row) => {
            const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
            sampler.sample(view, 0, bytes.length, row, row);
            decoder.decode(view, 0, bytes.length, values);
            return decoder.signals.flatMap(({ name }, number) => {
              const text = live.textOf(values, number);
              return text === null ? [] : [[name, text.value ?? '', text.label ?? '']];
            });
          });
          const { bytes } = csvTable.encoder(null).encode(batch);
          const lines = new TextDecoder().decode(bytes).split('\n').slice(0, -1);
          const cells = lines.map((line) => line.split(','));
          expect(cells.map((cell) => [cell[3], cell[4], cell[7]])).toEqual(expected);
        },
      ),
      { numRuns: cases(30, 300), seed: 34 },
    );
  });
});
