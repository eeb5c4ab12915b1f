import { describe, expect, it } from 'vitest';
import { exampleCodecs } from '../../src/e2e/testing/example-codecs.ts';
import { relayProject } from '../../src/gateway/engine/testing/relay-project.ts';
import { peers, shareGatewayBench } from '../scenario/support/gateway-bench.ts';
import type { Answered } from '../scenario/support/transmit-bench.ts';
import { answersOf, hasCrccheck } from './support/e2e-peer.ts';

/** Profiles of all counters and checksums that fit into a classic frame. */
const profiles = ['1A', '1C', '2', '5', '11C', '22'];
const length = 8;

const fieldsOf = (profile: string) => exampleCodecs[profile]?.fields ?? {};

/** Payload bits outside the fields of all profiles. */
const valueAt = 5;

/** A received and a sent message for each profile, with one value in between. */
const project = () =>
  relayProject({
    signals: profiles.flatMap((profile) => [
      { id: `in${profile}`, type: 'uint64', producer: 'input' },
      { id: `out${profile}`, type: 'uint64', producer: 'derived' },
    ]),
    codecs: profiles.map((profile) => ({ id: `c${profile}`, kind: 'e2e', ...fieldsOf(profile) })),
    messages: profiles.flatMap((profile, index) => [
      {
        id: `rx${profile}`,
        endpoint: 'in',
        direction: 'rx',
        can_id: 0x110 + index,
        length,
        stale_after_ms: 0,
      },
      { id: `tx${profile}`, endpoint: 'out', direction: 'tx', can_id: 0x210 + index, length },
    ]),
    bindings: profiles.flatMap((profile) =>
      (['rx', 'tx'] as const).map((direction) => ({
        id: `${profile}.${direction}`,
        signal: `${direction === 'rx' ? 'in' : 'out'}${profile}`,
        direction,
        message: `${direction}${profile}`,
        codec: 'u8',
        start_bit: 8 * valueAt,
      })),
    ),
    mappings: profiles.map((profile) => ({
      id: `m${profile}`,
      inputs: [`in${profile}`],
      outputs: [`out${profile}`],
    })),
    tx_tasks: [
      // Nothing is received for this message, which the project has anyway.
      { id: 'Cluster', policy: 'on_change' },
      ...profiles.map((profile) => ({
        id: `t${profile}`,
        message: `tx${profile}`,
        policy: 'on_change',
      })),
    ],
    e2e: profiles.flatMap((profile) => [
      { id: `check${profile}`, message: `rx${profile}`, direction: 'check', codec: `c${profile}` },
      {
        id: `protect${profile}`,
        message: `tx${profile}`,
        direction: 'protect',
        codec: `c${profile}`,
      },
    ]),
  });

/** The data of a message with a value, before protection. */
const dataOf = (value: number): string => {
  const data = Buffer.alloc(length);
  data[valueAt] = value;
  return data.toString('hex');
};

describe.runIf(hasCrccheck)(
  'protected frames on a bus, beside an implementation over crccheck',
  () => {
    const bench = shareGatewayBench();

    it.each(profiles)(
      'are accepted from it and by it, and counted if they are wrong: profile %s',
      async (profile) => {
        const index = profiles.indexOf(profile);
        await bench.runProject('peer', project());
        const after = await bench.newest();
        // The last one is damaged in transit.
        const made = answersOf(
          [1, 2, 3, 3].map((value, counter) => ({
            ...fieldsOf(profile),
            operation: 'protect',
            counter: counter + 1,
            data: dataOf(value),
          })),
        ).map(String);
        const broken = Buffer.from(made.pop() ?? '', 'hex');
        broken[valueAt] = 0x42;
        for (const [place, data] of made.entries()) {
          await bench.feed(data, 0x110 + index);
          await bench.untilInstance('peer', ({ sent }: Answered) => sent === place + 1);
        }
        expect(await bench.signal('peer', `in${profile}`)).toMatchObject({
          value: '3',
          valid: true,
        });
        expect((await bench.instance('peer')).rejected_frames).toEqual({
          remote: 0,
          short: 0,
          e2e: 0,
        });

        const received = await bench.received(peers.out, made.length, after);
        expect(received.map(({ id }) => id)).toEqual(made.map(() => 0x210 + index));
        const counters = answersOf(
          received.map(({ data }) => ({ ...fieldsOf(profile), operation: 'check', data })),
        );
        expect(counters).toEqual(followingOf(counters));
        expect(received.map(({ data }) => Buffer.from(data, 'hex')[valueAt])).toEqual([1, 2, 3]);

        await bench.feed(broken.toString('hex'), 0x110 + index);
        await bench.untilInstance(
          'peer',
          ({ rejected_frames }: Answered) => rejected_frames.e2e === 1,
        );
        expect(await bench.signal('peer', `in${profile}`)).toMatchObject({
          value: '3',
          valid: false,
          quality: 'e2e_error',
        });
        await bench.clear('peer');
      },
    );
  },
);

/** This many counters from the first one: a frame with a failed check has none. */
const followingOf = (counters: readonly unknown[]): number[] =>
  counters.map((_, place) => Number(counters[0] ?? Number.NaN) + place);
