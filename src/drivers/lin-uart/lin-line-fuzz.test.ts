import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../base/testing/long.ts';
import { LineRig } from './testing/line-rig.ts';

/** Possible inputs of a node: calls, its own bytes, other nodes, time. */
const happening = fc.oneof(
  fc.record({
    kind: fc.constant('write' as const),
    id: fc.nat(63),
    length: fc.integer({ min: 1, max: 8 }),
  }),
  fc.record({ kind: fc.constant('read' as const), id: fc.nat(63), length: fc.nat(8) }),
  fc.record({ kind: fc.constantFrom('syncBreak' as const, 'wakeUp' as const) }),
  fc.record({
    kind: fc.constant('respond' as const),
    id: fc.nat(63),
    length: fc.integer({ min: 1, max: 8 }),
  }),
  fc.record({
    kind: fc.constantFrom('breakSent' as const, 'echo' as const, 'breakFailed' as const),
  }),
  fc.record({
    kind: fc.constant('hear' as const),
    parts: fc.array(
      fc.oneof(
        { arbitrary: fc.constant('break'), weight: 2 },
        { arbitrary: fc.constantFrom('55', '50', '00', '80'), weight: 3 },
        { arbitrary: fc.nat(255).map((byte) => byte.toString(16)), weight: 4 },
        { arbitrary: fc.nat(255).map((byte) => `!${byte.toString(16)}`), weight: 1 },
      ),
      { minLength: 1, maxLength: 12 },
    ),
  }),
  fc.record({ kind: fc.constant('pass' as const), us: fc.nat(30_000) }),
);

const dataOf = (length: number): string => 'A5'.repeat(length);
const isOutcome = (what: string): boolean =>
  what === 'failed' ||
  what.startsWith('read ') ||
  what.startsWith('signal ') ||
  (what.startsWith('sent ') && !what.endsWith('by itself'));

describe('a LIN node to which anything happens', () => {
  it('gives everything it took one outcome, in order, and is ready again', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(happening, { maxLength: 60 }), (echoes, happenings) => {
        const rig = new LineRig({ echoes });
        const taken: string[] = [];
        for (const now of happenings) {
          if (now.kind === 'write') {
            taken.push('write');
            rig.write(now.id, dataOf(now.length));
          } else if (now.kind === 'read') {
            taken.push('read');
            rig.read(now.id, now.length);
          } else if (now.kind === 'syncBreak' || now.kind === 'wakeUp') {
            taken.push(now.kind);
            rig.signal(now.kind);
          } else if (now.kind === 'respond') rig.respond(now.id, dataOf(now.length));
          else if (now.kind === 'breakSent') rig.breakSent();
          else if (now.kind === 'breakFailed') rig.line.breakFailed(rig.nowUs);
          else if (now.kind === 'echo') rig.echo();
          else if (now.kind === 'hear') rig.hear(now.parts.join(' '));
          else if (now.kind === 'pass') rig.pass(now.us);
        }
        for (let i = 0; i <= taken.length; i++) rig.pass(1_000_000);
        const outcomes = rig.reported.filter(isOutcome);
        expect(outcomes).toHaveLength(taken.length);
        for (const [index, what] of taken.entries()) {
          const fits = {
            write: /^(sent|failed)/,
            read: /^read/,
            syncBreak: /^(signal syncBreak|failed)/,
            wakeUp: /^(signal wakeUp|failed)/,
          };
          expect(outcomes[index]).toMatch(fits[what as keyof typeof fits]);
        }
        expect(rig.line.queue.size).toBe(0);
        expect(rig.line.nextDeadlineUs).toBe(Number.POSITIVE_INFINITY);
        // A frame of another node immediately after all this is received correctly.
        rig.reported.length = 0;
        for (let id = 0; id < 64; id++) rig.line.responses.clear(id);
        rig.hear('break 55 50 4A 55 93 E5 96');
        rig.pass(1_000_000);
        expect(rig.reported.at(-1)).toBe('received 10#4A5593E5 enhanced');
      }),
      { numRuns: cases(100, 500) },
    );
  });

  it('never takes for a good frame what has a wrong bit', () => {
    const frame = [0x55, 0x50, 0x4a, 0x55, 0x93, 0xe5, 0x96];
    for (let bit = 0; bit < frame.length * 8; bit++) {
      const rig = new LineRig();
      const bytes = frame.map((byte, index) =>
        index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte,
      );
      rig.hear(`break ${bytes.map((byte) => byte.toString(16)).join(' ')}`);
      rig.pass(1_000_000);
      expect(rig.reported.filter((what) => what.endsWith('enhanced'))).toEqual([]);
      expect(rig.reported).toHaveLength(1);
    }
  });
});
