import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../base/testing/long.ts';
import { canOf } from '../../bench/testing/table-rig.ts';
import { sendHex } from '../../drivers/virtual/testing/virtual-rig.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { TransmitRig, withoutOffload } from '../testing/transmit-rig.ts';

interface Rule {
  readonly id: number;
  readonly mask: number | undefined;
  readonly extended: boolean;
  readonly targetId: number | undefined;
}

interface Sent {
  readonly id: number;
  readonly extended: boolean;
  readonly remote: boolean;
}

/** Identifiers close to one another, so that masks sometimes distinguish them. */
const standardId = fc.integer({ min: 0, max: 0x1f }).map((bits) => bits * 0x41);
const idOf = (extended: boolean) => (extended ? standardId.map((id) => id * 0x4_0001) : standardId);

const rules = fc.array(
  fc.boolean().chain((extended) =>
    fc.record({
      extended: fc.constant(extended),
      id: idOf(extended),
      mask: fc.option(fc.nat(extended ? 0x1fff_ffff : 0x7ff), { nil: undefined }),
      targetId: fc.option(idOf(extended), { nil: undefined }),
    }),
  ),
  { minLength: 1, maxLength: 20 },
);

const frames = fc.array(
  fc
    .boolean()
    .chain((extended) =>
      fc.record({ extended: fc.constant(extended), id: idOf(extended), remote: fc.boolean() }),
    ),
  { maxLength: 30 },
);

/** Expected output, as a simple model. */
const expected = (all: readonly Rule[], sent: readonly Sent[]): string[] =>
  sent.flatMap(({ id, extended, remote }) =>
    all
      .filter((rule) => {
        const width = rule.extended ? 29 : 11;
        const mask = rule.mask ?? 2 ** width - 1;
        if (rule.extended !== extended) return false;
        return [...Array(width).keys()].every(
          (bit) => ((mask >>> bit) & 1) === 0 || ((id >>> bit) & 1) === ((rule.id >>> bit) & 1),
        );
      })
      .map((rule) => `${rule.targetId ?? id} ${extended} ${remote}`),
  );

const play = async (all: readonly Rule[], sent: readonly Sent[], offload: boolean) => {
  const rig = new TransmitRig();
  const sender = await rig.open(0);
  const from = await rig.open(1);
  await rig.open(2, { bitrate: 1_000_000 });
  const listener = await rig.open(3, { bitrate: 1_000_000 });
  if (!offload) withoutOffload(from);
  for (const { id, mask, extended, targetId } of all) {
    await rig.addRoute({
      source: { channel: '1', id, extended, ...(mask !== undefined && { mask }) },
      target: { channel: '2', ...(targetId !== undefined && { id: targetId }) },
    });
  }
  for (const { id, extended, remote } of sent) {
    const flags = (extended ? frameFlag.extended : 0) | (remote ? frameFlag.remote : 0);
    sendHex(canOf(sender), id, '', { flags });
  }
  rig.clock.advanceUs(200_000);
  const received = rig
    .records(listener.slot)
    .map(
      ({ id, flags }) =>
        `${id} ${(flags & frameFlag.extended) !== 0} ${(flags & frameFlag.remote) !== 0}`,
    );
  const matched = rig.routes.list().reduce((sum, route) => sum + route.matched, 0);
  return { heard: received, matched };
};

describe('routes', () => {
  it.each([
    ['in the device', true],
    ['in the daemon', false],
  ])('pass on exactly what they are for, %s', async (_where, offload) => {
    await fc.assert(
      fc.asyncProperty(rules, frames, async (all, sent) => {
        const { heard: received, matched } = await play(all.slice(0, 16), sent, offload);
        const wanted = expected(all.slice(0, 16), sent);
        expect(received).toEqual(wanted);
        expect(matched).toBe(wanted.length);
      }),
      { numRuns: cases(20, 50), seed: 20_260_102 },
    );
  });

  it('keep to that when the device and the daemon share them', async () => {
    await fc.assert(
      fc.asyncProperty(rules, frames, async (all, sent) => {
        const many = [...all, ...all];
        const { heard: received } = await play(many, sent, true);
        expect([...received].sort()).toEqual(expected(many, sent).sort());
      }),
      { numRuns: cases(20, 30), seed: 20_260_103 },
    );
  });
});
