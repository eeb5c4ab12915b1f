import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxPduLength } from '../../pdu/function-codes.ts';
import { hexOf, joined } from './bytes-of.ts';
import { describeDamage } from './damage-suite.ts';
import { cutAt, FramingBench, type FramingSubject, frameOf, runs } from './framing-bench.ts';
import { asRecorded } from './recorded-line.ts';

/** What every framing has to do, whatever its frames look like. */
export const describeFraming = (name: string, subject: FramingSubject): void => {
  const { vectors, wire, resynchronises, patienceUs } = subject;
  const bench = new FramingBench(subject);
  const { frames, sample } = bench;

  describe(name, () => {
    describe.each(vectors)('a frame to $name', (vector) => {
      const bytes = wire(vector);
      const frame = frameOf(vector);

      it('is encoded as others encode it', () => {
        expect(hexOf(bench.newLine().encoded(frame))).toBe(hexOf(bytes));
      });

      it('is taken in one piece, without silence behind it', () => {
        const line = bench.newLine();
        line.hear(bytes);
        expect(line.frames).toEqual([asRecorded(frame)]);
        line.passSilence();
        expect(line.problems).toEqual([]);
        expect(line.frames).toHaveLength(1);
      });

      it('is taken when cut at any place, and not before its end', () => {
        for (let cut = 1; cut < bytes.length; cut++) {
          const line = bench.newLine();
          line.hear(bytes.subarray(0, cut));
          expect(line.frames).toEqual([]);
          line.hear(bytes.subarray(cut));
          expect(line.frames).toEqual([asRecorded(frame)]);
          expect(line.problems).toEqual([]);
        }
      });

      it('is taken byte by byte', () => {
        const line = bench.newLine();
        for (const byte of bytes) line.hear(Uint8Array.of(byte));
        expect(line.frames).toEqual([asRecorded(frame)]);
      });
    });

    describe('encoding', () => {
      it('writes at an offset and leaves the rest alone', () => {
        const { framing } = bench.newLine();
        const alone = bench.newLine().encoded(sample);
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
            const { framing } = bench.newLine();
            const expected = hexOf(bench.newLine().encoded({ unit, pdu }));
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
        const line = bench.newLine();
        // A function of nobody, so that no framing knows how long it is.
        const pdu = new Uint8Array(maxPduLength).fill(0x42);
        const bytes = line.encoded({ unit: 9, pdu });
        expect(bytes.length).toBe(line.framing.maxLength);
        line.hear(bytes);
        line.passSilence();
        expect(line.frames).toEqual([asRecorded({ unit: 9, pdu })]);
        expect(line.problems).toEqual([]);
      });
    });

    it('takes frames one behind the other, however the stream is cut', () => {
      fc.assert(
        fc.property(
          fc.array(frames, { minLength: 1, maxLength: 8 }),
          fc.array(fc.nat(), { maxLength: 20 }),
          (list, places) => {
            const line = bench.newLine();
            const stream = joined(...list.map((frame) => line.encoded(frame)));
            line.hear(...cutAt(stream, places));
            expect(line.frames).toEqual(list.map(asRecorded));
            expect(line.problems).toEqual([]);
            expect(line.framing.nextDeadlineUs).toBe(Number.POSITIVE_INFINITY);
          },
        ),
        runs,
      );
    });

    describe('time', () => {
      it('asks for no waking while nothing is unfinished', () => {
        const line = bench.newLine();
        expect(line.framing.nextDeadlineUs).toBe(Number.POSITIVE_INFINITY);
        line.framing.idle(line.nowUs);
        line.hear(new Uint8Array(0));
        expect(line.framing.nextDeadlineUs).toBe(Number.POSITIVE_INFINITY);
        expect([line.frames, line.problems]).toEqual([[], []]);
      });

      it('waits for the rest of a frame as long as it may take', () => {
        const bytes = bench.newLine().encoded(sample);
        for (let cut = 1; cut < bytes.length; cut++) {
          const line = bench.newLine();
          line.hear(bytes.subarray(0, cut));
          line.pass(patienceUs === null ? 3_600_000_000 : patienceUs - 1);
          line.hear(bytes.subarray(cut));
          expect(line.frames).toEqual([asRecorded(sample)]);
          expect(line.problems).toEqual([]);
        }
      });

      if (patienceUs !== null)
        it('gives up a frame whose rest does not come', () => {
          const bytes = bench.newLine().encoded(sample);
          for (let cut = 1; cut < bytes.length; cut++) {
            const line = bench.newLine();
            line.hear(bytes.subarray(0, cut));
            expect(line.framing.nextDeadlineUs).toBe(line.nowUs + patienceUs);
            line.pass(patienceUs);
            expect(line.problems).toEqual([{ kind: 'incomplete', discarded: cut, fatal: false }]);
            line.hear(bytes.subarray(cut));
            line.passSilence();
            expect(line.frames).toEqual([]);
            bench.expectHealthy(line);
          }
        });

      if (patienceUs !== null)
        it('notices silence also when nobody woke it', () => {
          const line = bench.newLine();
          line.hear(line.encoded(sample).subarray(0, 3));
          line.nowUs += patienceUs;
          line.hear(line.encoded(sample));
          expect(line.problems).toEqual([{ kind: 'incomplete', discarded: 3, fatal: false }]);
          expect(line.frames).toEqual([asRecorded(sample)]);
        });
    });

    describe('what is no frame', () => {
      const noises = fc.array(fc.tuple(subject.noise, frames), { minLength: 1, maxLength: 4 });

      if (resynchronises)
        it('is passed over before, between and behind frames', () => {
          fc.assert(
            fc.property(noises, subject.noise, (list, last) => {
              const line = bench.newLine();
              for (const [noise, frame] of list) {
                line.hear(noise, line.encoded(frame));
                line.passSilence();
              }
              line.hear(last);
              line.passSilence();
              expect(line.frames).toEqual(list.map(([, frame]) => asRecorded(frame)));
              const noisy = list.reduce((sum, [noise]) => sum + noise.length, last.length);
              expect(line.discarded).toBe(noisy);
            }),
            runs,
          );
        });

      if (!resynchronises)
        it('ends the connection once, and a new one works', () => {
          fc.assert(
            fc.property(frames, subject.noise, fc.array(fc.nat()), (frame, noise, places) => {
              const line = bench.newLine();
              const bytes = line.encoded(frame);
              line.hear(...cutAt(joined(bytes, noise, bytes), places), bytes);
              expect(line.frames).toEqual([asRecorded(frame)]);
              expect(line.problems).toMatchObject([{ fatal: true }]);
              bench.expectHealthy(line);
            }),
            runs,
          );
        });

      it('does no lasting harm when it is too long', () => {
        for (const size of [subject.oversize.length, 1, 7]) {
          const line = bench.newLine();
          for (let at = 0; at < subject.oversize.length; at += size) {
            line.hear(subject.oversize.subarray(at, at + size));
          }
          line.passSilence();
          expect(line.frames).toEqual([]);
          expect(line.problems.length).toBeGreaterThan(0);
          bench.expectHealthy(line);
        }
      });
    });

    describeDamage(bench);

    describe('a receiver', () => {
      it('that resets at a frame hears nothing more of those bytes', () => {
        const line = bench.newLine();
        line.onFrame = () => line.framing.reset();
        line.hear(joined(line.encoded(sample), line.encoded(sample), line.encoded(sample)));
        expect(line.frames).toHaveLength(1);
        expect(line.framing.nextDeadlineUs).toBe(Number.POSITIVE_INFINITY);
        line.hear(line.encoded(sample));
        expect(line.frames).toHaveLength(2);
      });

      it('that resets at a problem hears nothing more of those bytes', () => {
        const line = bench.newLine();
        line.onProblem = () => line.framing.reset();
        line.hear(joined(subject.oversize, line.encoded(sample), line.encoded(sample)));
        line.passSilence();
        expect(line.problems).toHaveLength(1);
        line.hear(line.encoded(sample));
        expect(line.frames).toEqual([asRecorded(sample)]);
      });

      it('that throws at a frame is not told of it again', () => {
        const line = bench.newLine();
        line.onFrame = () => {
          throw new TypeError('thrown by the receiver');
        };
        expect(() => line.hear(line.encoded(sample))).toThrow('thrown by the receiver');
        line.onFrame = () => {};
        line.hear(line.encoded({ ...sample, unit: 33 }));
        expect(line.frames.map(({ unit }) => unit)).toEqual([sample.unit, 33]);
      });
    });

    it('forgets an unfinished frame when it is reset', () => {
      const line = bench.newLine();
      line.hear(line.encoded(sample).subarray(0, 4));
      line.framing.reset();
      expect(line.framing.nextDeadlineUs).toBe(Number.POSITIVE_INFINITY);
      line.hear(line.encoded(sample));
      line.passSilence();
      expect(line.frames).toEqual([asRecorded(sample)]);
      expect(line.problems).toEqual([]);
    });
  });
};
