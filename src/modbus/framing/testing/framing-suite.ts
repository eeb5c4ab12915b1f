import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxPduLength } from '../../pdu/function-codes.ts';
import { hexOf, joined } from '../../pdu/testing/bytes-of.ts';
import { describeDamage } from './damage-suite.ts';
import { cutAt, FramingBench, type FramingSubject, frameOf, runs } from './framing-bench.ts';
import { asRecorded } from './framing-recorder.ts';

/** Requirements on every framing. */
export const describeFraming = (name: string, subject: FramingSubject): void => {
  const { vectors, wire, resynchronises, maxPauseUs } = subject;
  const bench = new FramingBench(subject);
  const { frames, sample } = bench;

  describe(name, () => {
    describe.each(vectors)('a frame to $name', (vector) => {
      const bytes = wire(vector);
      const frame = frameOf(vector);

      it('is encoded as others encode it', () => {
        expect(hexOf(bench.newRecorder().encoded(frame))).toBe(hexOf(bytes));
      });

      it('is accepted in one piece, without silence after it', () => {
        const recorder = bench.newRecorder();
        recorder.hear(bytes);
        expect(recorder.frames).toEqual([asRecorded(frame)]);
        recorder.passSilence();
        expect(recorder.problems).toEqual([]);
        expect(recorder.frames).toHaveLength(1);
      });

      it('is taken when cut at any place, and not before its end', () => {
        for (let cut = 1; cut < bytes.length; cut++) {
          const recorder = bench.newRecorder();
          recorder.hear(bytes.subarray(0, cut));
          expect(recorder.frames).toEqual([]);
          recorder.hear(bytes.subarray(cut));
          expect(recorder.frames).toEqual([asRecorded(frame)]);
          expect(recorder.problems).toEqual([]);
        }
      });

      it('is taken byte by byte', () => {
        const recorder = bench.newRecorder();
        for (const byte of bytes) recorder.hear(Uint8Array.of(byte));
        expect(recorder.frames).toEqual([asRecorded(frame)]);
      });
    });

    describe('encoding', () => {
      it('writes at an offset and leaves the rest alone', () => {
        const { framing } = bench.newRecorder();
        const alone = bench.newRecorder().encoded(sample);
        const into = new Uint8Array(framing.maxLength + 20).fill(0xee);
        const length = framing.encode(into, 10, 0, sample.unit, sample.pdu, 0, sample.pdu.length);
        expect(hexOf(into.subarray(10, 10 + length))).toBe(hexOf(alone));
        expect(new Set([...into.subarray(0, 10), ...into.subarray(10 + length)])).toEqual(
          new Set([0xee]),
        );
      });

      it('takes a PDU from the middle of other memory, or from its place in the frame', () => {
        fc.assert(
          fc.property(frames, fc.nat(30), ({ unit, pdu }, at) => {
            const { framing } = bench.newRecorder();
            const expected = hexOf(bench.newRecorder().encoded({ unit, pdu }));
            const into = new Uint8Array(framing.maxLength + 30);
            const elsewhere = joined(new Uint8Array(at), pdu, new Uint8Array(5));
            const one = framing.encode(into, at, 0, unit, elsewhere, at, pdu.length);
            expect(hexOf(into.subarray(at, at + one))).toBe(expected);
            const place = at + framing.pduOffset;
            into.fill(0).set(pdu, place);
            const other = framing.encode(into, at, 0, unit, into, place, pdu.length);
            expect(hexOf(into.subarray(at, at + other))).toBe(expected);
          }),
          runs,
        );
      });

      it('has room for the longest PDU, which arrives by the end of the silence', () => {
        const recorder = bench.newRecorder();
        // A function that does not exist, so its length is unknown to every framing.
        const pdu = new Uint8Array(maxPduLength).fill(0x42);
        const bytes = recorder.encoded({ unit: 9, pdu });
        expect(bytes.length).toBe(recorder.framing.maxLength);
        recorder.hear(bytes);
        recorder.passSilence();
        expect(recorder.frames).toEqual([asRecorded({ unit: 9, pdu })]);
        expect(recorder.problems).toEqual([]);
      });
    });

    it('accepts consecutive frames, however the stream is cut', () => {
      fc.assert(
        fc.property(
          fc.array(frames, { minLength: 1, maxLength: 8 }),
          fc.array(fc.nat(), { maxLength: 20 }),
          (list, places) => {
            const recorder = bench.newRecorder();
            const stream = joined(...list.map((frame) => recorder.encoded(frame)));
            recorder.hear(...cutAt(stream, places));
            expect(recorder.frames).toEqual(list.map(asRecorded));
            expect(recorder.problems).toEqual([]);
            expect(recorder.framing.nextDeadlineUs).toBe(Number.POSITIVE_INFINITY);
          },
        ),
        runs,
      );
    });

    describe('time', () => {
      it('asks for no waking while nothing is unfinished', () => {
        const recorder = bench.newRecorder();
        expect(recorder.framing.nextDeadlineUs).toBe(Number.POSITIVE_INFINITY);
        recorder.framing.idle(recorder.nowUs);
        recorder.hear(new Uint8Array(0));
        expect(recorder.framing.nextDeadlineUs).toBe(Number.POSITIVE_INFINITY);
        expect([recorder.frames, recorder.problems]).toEqual([[], []]);
      });

      it('waits for the rest of a frame as long as it may take', () => {
        const bytes = bench.newRecorder().encoded(sample);
        for (let cut = 1; cut < bytes.length; cut++) {
          const recorder = bench.newRecorder();
          recorder.hear(bytes.subarray(0, cut));
          recorder.pass(maxPauseUs === null ? 3_600_000_000 : maxPauseUs - 1);
          recorder.hear(bytes.subarray(cut));
          expect(recorder.frames).toEqual([asRecorded(sample)]);
          expect(recorder.problems).toEqual([]);
        }
      });

      if (maxPauseUs !== null)
        it('gives up a frame whose rest does not come', () => {
          const bytes = bench.newRecorder().encoded(sample);
          for (let cut = 1; cut < bytes.length; cut++) {
            const recorder = bench.newRecorder();
            recorder.hear(bytes.subarray(0, cut));
            expect(recorder.framing.nextDeadlineUs).toBe(recorder.nowUs + maxPauseUs);
            recorder.pass(maxPauseUs);
            expect(recorder.problems).toEqual([
              { kind: 'incomplete', discarded: cut, fatal: false },
            ]);
            recorder.hear(bytes.subarray(cut));
            recorder.passSilence();
            expect(recorder.frames).toEqual([]);
            bench.expectHealthy(recorder);
          }
        });

      if (maxPauseUs !== null)
        it('notices silence also when it was not woken', () => {
          const recorder = bench.newRecorder();
          recorder.hear(recorder.encoded(sample).subarray(0, 3));
          recorder.nowUs += maxPauseUs;
          recorder.hear(recorder.encoded(sample));
          expect(recorder.problems).toEqual([{ kind: 'incomplete', discarded: 3, fatal: false }]);
          expect(recorder.frames).toEqual([asRecorded(sample)]);
        });
    });

    describe('what is no frame', () => {
      const noises = fc.array(fc.tuple(subject.noise, frames), { minLength: 1, maxLength: 4 });

      if (resynchronises)
        it('is skipped before, between and after frames', () => {
          fc.assert(
            fc.property(noises, subject.noise, (list, last) => {
              const recorder = bench.newRecorder();
              for (const [noise, frame] of list) {
                recorder.hear(noise, recorder.encoded(frame));
                recorder.passSilence();
              }
              recorder.hear(last);
              recorder.passSilence();
              expect(recorder.frames).toEqual(list.map(([, frame]) => asRecorded(frame)));
              const noisy = list.reduce((sum, [noise]) => sum + noise.length, last.length);
              expect(recorder.discarded).toBe(noisy);
            }),
            runs,
          );
        });

      if (!resynchronises)
        it('ends the connection once, and a new one works', () => {
          fc.assert(
            fc.property(frames, subject.noise, fc.array(fc.nat()), (frame, noise, places) => {
              const recorder = bench.newRecorder();
              const bytes = recorder.encoded(frame);
              recorder.hear(...cutAt(joined(bytes, noise, bytes), places), bytes);
              expect(recorder.frames).toEqual([asRecorded(frame)]);
              expect(recorder.problems).toMatchObject([{ fatal: true }]);
              bench.expectHealthy(recorder);
            }),
            runs,
          );
        });

      it('does no lasting harm when it is too long', () => {
        for (const size of [subject.oversize.length, 1, 7]) {
          const recorder = bench.newRecorder();
          for (let at = 0; at < subject.oversize.length; at += size) {
            recorder.hear(subject.oversize.subarray(at, at + size));
          }
          recorder.passSilence();
          expect(recorder.frames).toEqual([]);
          expect(recorder.problems.length).toBeGreaterThan(0);
          bench.expectHealthy(recorder);
        }
      });
    });

    describeDamage(bench);

    describe('a receiver', () => {
      it('that resets at a frame receives none of the remaining bytes', () => {
        const recorder = bench.newRecorder();
        recorder.onFrame = () => recorder.framing.reset();
        recorder.hear(
          joined(recorder.encoded(sample), recorder.encoded(sample), recorder.encoded(sample)),
        );
        expect(recorder.frames).toHaveLength(1);
        expect(recorder.framing.nextDeadlineUs).toBe(Number.POSITIVE_INFINITY);
        recorder.hear(recorder.encoded(sample));
        expect(recorder.frames).toHaveLength(2);
      });

      it('that resets at a problem receives none of the remaining bytes', () => {
        const recorder = bench.newRecorder();
        recorder.onProblem = () => recorder.framing.reset();
        recorder.hear(joined(subject.oversize, recorder.encoded(sample), recorder.encoded(sample)));
        recorder.passSilence();
        expect(recorder.problems).toHaveLength(1);
        recorder.hear(recorder.encoded(sample));
        expect(recorder.frames).toEqual([asRecorded(sample)]);
      });

      it('that throws at a frame does not receive it again', () => {
        const recorder = bench.newRecorder();
        recorder.onFrame = () => {
          throw new TypeError('thrown by the receiver');
        };
        expect(() => recorder.hear(recorder.encoded(sample))).toThrow('thrown by the receiver');
        recorder.onFrame = () => {};
        recorder.hear(recorder.encoded({ ...sample, unit: 33 }));
        expect(recorder.frames.map(({ unit }) => unit)).toEqual([sample.unit, 33]);
      });
    });

    it('forgets an unfinished frame when it is reset', () => {
      const recorder = bench.newRecorder();
      recorder.hear(recorder.encoded(sample).subarray(0, 4));
      recorder.framing.reset();
      expect(recorder.framing.nextDeadlineUs).toBe(Number.POSITIVE_INFINITY);
      recorder.hear(recorder.encoded(sample));
      recorder.passSilence();
      expect(recorder.frames).toEqual([asRecorded(sample)]);
      expect(recorder.problems).toEqual([]);
    });
  });
};
