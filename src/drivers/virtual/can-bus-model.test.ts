import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../base/testing/long.ts';
import { canFrameUs } from '../../frame/can-bits.ts';
import { dlcToLength } from '../../frame/dlc.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { arbitrationKey } from './can-outcome.ts';
import { VirtualRig } from './testing/virtual-rig.ts';

const bitrate = 250_000;
const dataBitrate = 1_000_000;
const interframeUs = (3 * 1e6) / bitrate;
const { brs, extended, fd, remote } = frameFlag;

interface Send {
  readonly port: 0 | 1;
  readonly atUs: number;
  readonly id: number;
  readonly flags: number;
  readonly dlc: number;
}

const bytesOf = ({ id, flags, dlc }: Send): Uint8Array => {
  const length = (flags & remote) === 0 ? dlcToLength(dlc, (flags & fd) !== 0) : 0;
  return Uint8Array.from({ length }, (_, i) => (id * 31 + i * 17) & 0xff);
};

/** Identifiers of the two ports never collide, as on any valid bus. */
const sends = fc
  .array(
    fc.record({
      port: fc.constantFrom(0 as const, 1 as const),
      waitUs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 900 })),
      id: fc.integer({ min: 0, max: 0x3ff }),
      flags: fc.constantFrom(0, remote, extended, extended | remote, fd, fd | brs | extended),
      dlc: fc.integer({ min: 0, max: 15 }),
    }),
    { maxLength: 60 },
  )
  .map((steps) => {
    let atUs = 0;
    return steps.map(({ waitUs, port, id, ...rest }): Send => {
      atUs += waitUs;
      return { ...rest, port, atUs, id: id * 2 + port };
    });
  });

/** A simple model of the bus: the end time of each frame. */
const expectedEnds = (all: readonly Send[]): [Send, number][] => {
  const queues = [0, 1].map((port) => all.filter((send) => send.port === port));
  const ends: [Send, number][] = [];
  let freeUs = 0;
  for (;;) {
    const heads = queues.flatMap((queue) => queue.slice(0, 1));
    if (heads.length === 0) return ends;
    const startUs = Math.max(freeUs, Math.min(...heads.map(({ atUs }) => atUs)));
    const [winner] = heads
      .filter(({ atUs }) => atUs <= startUs)
      .sort((a, b) => arbitrationKey(a.id, a.flags) - arbitrationKey(b.id, b.flags));
    if (!winner) throw new RangeError('Nobody starts');
    const { id, flags, dlc } = winner;
    freeUs = startUs + canFrameUs(flags, id, dlc, bytesOf(winner), 0, bitrate, dataBitrate);
    ends.push([winner, freeUs - interframeUs]);
    queues[winner.port]?.shift();
  }
};

describe('the virtual CAN bus', () => {
  it('does exactly what a bus does with any traffic, however often it is looked at', async () => {
    await fc.assert(
      fc.asyncProperty(sends, fc.integer({ min: 1, max: 700 }), async (all, lookUs) => {
        const rig = new VirtualRig();
        const ports = [
          await rig.openCan(0, { bitrate, dataBitrate }),
          await rig.openCan(1, { bitrate, dataBitrate }),
        ];
        const startUs = rig.clock.monotonicUs();
        for (const send of all) {
          while (rig.clock.monotonicUs() + lookUs < startUs + send.atUs) {
            rig.advanceUs(lookUs);
            ports[0]?.channel.stats();
          }
          rig.clock.advanceToUs(startUs + send.atUs);
          const data = bytesOf(send);
          const { id, flags, dlc } = send;
          ports[send.port]?.channel.send(id, flags, dlc, data, 0, data.length);
        }
        rig.advanceUs(200_000);
        const expected = expectedEnds(all);
        for (const [port, { events, channel }] of ports.entries()) {
          expect(events.all.map((e) => [e.kind, e.id, e.flags, rig.sinceStart(e)])).toEqual(
            expected.map(([send, endUs]) => [
              send.port === port ? 'tx_complete' : 'rx_frame',
              send.id,
              send.flags,
              Math.floor(endUs + 1e-3),
            ]),
          );
          expect(channel.stats().errorFrames).toBe(0);
        }
      }),
      { seed: 20240607, numRuns: cases(30, 150) },
    );
  });
});
