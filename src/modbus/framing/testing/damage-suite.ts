import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf, joined } from '../../pdu/testing/bytes-of.ts';
import { cutAt, type FramingBench, runs } from './framing-bench.ts';

interface Edit {
  readonly kind: string;
  readonly at: number;
  readonly byte: number;
}

const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('change', 'insert', 'remove'),
    at: fc.nat(),
    byte: fc.nat(255),
  }),
  { minLength: 1, maxLength: 5 },
);

const edited = (bytes: Uint8Array, list: readonly Edit[]): Uint8Array => {
  const result = [...bytes];
  for (const { kind, at, byte } of list) {
    const place = at % Math.max(1, result.length);
    if (kind === 'insert') result.splice(place, 0, byte);
    else if (kind === 'remove') result.splice(place, 1);
    else result[place] = byte;
  }
  return Uint8Array.from(result);
};

/** Requirements on framings with a checksum. */
const describeChecksum = (bench: FramingBench): void => {
  const { subject, frames } = bench;

  it('of a single bit keeps a frame from being taken, and the next one is', () => {
    for (const vector of subject.vectors) {
      const bytes = subject.wire(vector);
      const sound = bench.normalized(bytes);
      for (let bit = 0; bit < 8 * bytes.length; bit++) {
        const damaged = bytes.slice();
        damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (1 << (bit & 7));
        // Some bits make no difference, such as upper and lower case.
        if (bench.normalized(damaged) === sound) continue;
        const recorder = bench.newRecorder();
        recorder.hear(damaged);
        recorder.passSilence();
        expect(recorder.frames).toEqual([]);
        expect(recorder.discarded).toBe(bytes.length);
        bench.expectHealthy(recorder);
      }
    }
  });

  it('of any kind lets nothing through but frames that are there with a good checksum', () => {
    fc.assert(
      fc.property(
        fc.array(frames, { minLength: 1, maxLength: 4 }),
        edits,
        fc.array(fc.nat(), { maxLength: 6 }),
        (list, changes, places) => {
          const recorder = bench.newRecorder();
          const bytes = edited(joined(...list.map((frame) => recorder.encoded(frame))), changes);
          recorder.hear(...cutAt(bytes, places));
          recorder.passSilence();
          bench.expectPresent(recorder, bytes);
          bench.expectHealthy(recorder);
        },
      ),
      runs,
    );
  });
};

/**
 * Damage and noise: no frame is reported that was not sent, and every byte is accounted for.
 */
export const describeDamage = (bench: FramingBench): void => {
  const { subject, frames } = bench;
  if (subject.hasChecksum) describe('damage', () => describeChecksum(bench));

  it('survives any bytes at any time, invents nothing and accounts for all of it', () => {
    const chunk = fc.tuple(fc.uint8Array({ maxLength: 700 }), fc.nat(3_000_000));
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 8 }), frames, (chunks, frame) => {
        const recorder = bench.newRecorder();
        const sound = recorder.encoded(frame);
        for (const [bytes, gapUs] of chunks) {
          recorder.hear(bytes, sound);
          recorder.pass(gapUs);
        }
        recorder.passSilence();
        const received = joined(...chunks.flatMap(([bytes]) => [bytes, sound]));
        bench.expectPresent(recorder, received);
        const taken = recorder.frames.reduce(
          (sum, { unit, pdu }) => sum + recorder.encoded({ unit, pdu: bytesOf(pdu) }).length,
          0,
        );
        if (subject.resynchronises) expect(taken + recorder.discarded).toBe(received.length);
        expect(recorder.framing.nextDeadlineUs).toBe(Number.POSITIVE_INFINITY);
        bench.expectHealthy(recorder);
      }),
      runs,
    );
  });
};
