import { describe, expect, it } from 'vitest';
import { cases } from '../../../src/base/testing/long.ts';
import { seededRandom } from '../../../src/base/testing/seeded-random.ts';
import { AddressClaim } from '../../../src/pdu/j1939/address-claim.ts';
import { PaperNode, type Said } from './paper-node.ts';

type Random = () => number;

const upTo = (random: Random, most: number): number => Math.floor(random() * (most + 1));
const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

const nameBytesOf = (name: string): number[] =>
  (name.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16)).reverse();

const frameOf = ({ kind, from, to, name }: Said): { id: number; data: Uint8Array } =>
  kind === 'claim'
    ? { id: 0x18ee_ff00 + from, data: Uint8Array.from(nameBytesOf(name)) }
    : { id: 0x18ea_0000 + to * 256 + from, data: Uint8Array.of(0x00, 0xee, 0x00) };

/** A node on the bus: ours, or one of the reference. */
interface Member {
  readonly name: string;
  readonly isFlexible: boolean;
  readonly wanted: number;
  next(): Said | null;
  said(said: Said, ms: number): void;
  hear(said: Said, ms: number): void;
  deadlineMs(): number;
  due(ms: number): void;
  /** Address that it uses. */
  owned(): number | null;
  hasGivenUp(): boolean;
}

const ours = (name: string, wanted: number, random: Random): Member => {
  const claim = new AddressClaim({ name: BigInt(`0x${name}`), address: wanted, random });
  let sending: AddressClaim['frame'] = null;
  return {
    name,
    isFlexible: Number.parseInt(name[0] ?? '0', 16) >= 8,
    wanted,
    next: () => {
      sending = claim.frame;
      if (!sending) return null;
      const { id, data } = sending;
      expect(hex(id, 8).slice(0, 6)).toBe('18eeff');
      expect([...data]).toEqual(nameBytesOf(name));
      return { kind: 'claim', from: id % 256, to: 255, name };
    },
    said: (_, ms) => {
      if (sending) claim.sent(sending, Math.round(ms * 1000));
    },
    hear: (said, ms) => {
      const { id, data } = frameOf(said);
      claim.received(id, data, 0, data.length, Math.round(ms * 1000));
    },
    deadlineMs: () => claim.deadlineUs / 1000,
    due: (ms) => claim.expire(Math.round(ms * 1000)),
    owned: () => (claim.state === 'claimed' ? claim.address : null),
    hasGivenUp: () => claim.state === 'cannot_claim',
  };
};

const reference = (name: string, wanted: number, random: Random): Member => {
  const node = new PaperNode(name, wanted);
  return {
    name,
    isFlexible: node.isFlexible,
    wanted,
    next: () => node.outbox[0] ?? null,
    said: (said, ms) => {
      if (node.outbox[0] === said) node.outbox.shift();
      node.said(said, ms);
    },
    hear: (said, ms) => node.hear(said, ms, random),
    deadlineMs: () => node.plan?.atMs ?? Number.POSITIVE_INFINITY,
    due: () => node.due(),
    owned: () => (node.owns ? node.address : null),
    hasGivenUp: () => node.hasGivenUp,
  };
};

interface Outcome {
  readonly members: readonly Member[];
  /** NAMEs that claimed an address, by address. */
  readonly claimants: ReadonlyMap<number, ReadonlySet<string>>;
  readonly quiet: boolean;
}

/** Runs a bus on which one node at a time sends, and all others receive it. */
const runBus = (random: Random): Outcome => {
  const joins = Array.from({ length: 2 + upTo(random, 8) }, () => ({
    atMs: upTo(random, 1500),
    // Often the same addresses, some of them at the end of the range.
    wanted: [3, 128, 129, 246, 247][upTo(random, 4)] as number,
    name: (random() < 0.5 ? '8' : '0') + hex(1 + upTo(random, 0xffff), 15),
    make: random() < 0.6 ? ours : reference,
  })).filter(({ name }, index, all) => all.findIndex((other) => other.name === name) === index);
  joins.sort((one, other) => one.atMs - other.atMs);
  const members: Member[] = [];
  const claimants = new Map<number, Set<string>>();
  const requests = Array.from({ length: upTo(random, 4) }, () => upTo(random, 3000)).sort(
    (one, other) => one - other,
  );
  const tell = (said: Said, ms: number, speaker?: Member): void => {
    for (const member of members) if (member !== speaker) member.hear(said, ms);
  };
  let ms = 0;
  for (let step = 0; step < 20_000; step++) {
    while (joins[0] && joins[0].atMs <= ms) {
      const { name, wanted, make } = joins.shift() as (typeof joins)[0];
      members.push(make(name, wanted, random));
    }
    while (requests[0] !== undefined && requests[0] <= ms) {
      requests.shift();
      const to = random() < 0.7 ? 255 : 128 + upTo(random, 3);
      tell({ kind: 'request', from: 0x21, to, name: '' }, ms);
    }
    for (const member of members) if (member.deadlineMs() <= ms) member.due(ms);
    const waiting = members.filter((member) => member.next() !== null);
    const speaker = waiting[upTo(random, waiting.length - 1)];
    if (speaker) {
      const said = speaker.next() as Said;
      ms += 1 + upTo(random, 9);
      // Who has waited meanwhile may have another frame by now.
      speaker.said(said, ms);
      if (said.from !== 254) {
        claimants.set(said.from, (claimants.get(said.from) ?? new Set()).add(said.name));
      }
      tell(said, ms, speaker);
      continue;
    }
    const nextMs = Math.min(
      ...members.map((member) => member.deadlineMs()),
      joins[0]?.atMs ?? Number.POSITIVE_INFINITY,
      requests[0] ?? Number.POSITIVE_INFINITY,
    );
    if (nextMs === Number.POSITIVE_INFINITY) return { members, claimants, quiet: true };
    ms = Math.max(ms, nextMs);
  }
  return { members, claimants, quiet: false };
};

const runs = cases(100, 20_000);

describe('address claims of nodes on one bus', () => {
  const tally = { kept: 0, moved: 0, gaveUp: 0 };

  it(`end with one owner of each address, the lowest NAME, in ${runs} runs`, () => {
    for (let seed = 1; seed <= runs; seed++) {
      const { members, claimants, quiet } = runBus(seededRandom(seed));
      expect(quiet, `seed ${seed}`).toBe(true);
      const owners = new Map<number, string>();
      for (const member of members) {
        const address = member.owned();
        expect(address === null, `seed ${seed}: ${member.name}`).toBe(member.hasGivenUp());
        if (address === null) tally.gaveUp += 1;
        else if (address === member.wanted) tally.kept += 1;
        else tally.moved += 1;
        if (address === null) continue;
        expect(owners.has(address), `seed ${seed}: two owners of ${address}`).toBe(false);
        owners.set(address, member.name);
      }
      for (const [address, names] of claimants) {
        const [lowest] = [...names].sort();
        expect(owners.get(address), `seed ${seed}: ${address}`).toBe(lowest);
      }
      for (const member of members) {
        if (member.isFlexible || member.owned() !== null) continue;
        const winner = owners.get(member.wanted) ?? '';
        expect(winner < member.name, `seed ${seed}: ${member.name} gave up`).toBe(true);
      }
    }
  }, 600_000);

  it('meet every outcome', () => {
    expect(Object.entries(tally).filter(([, count]) => count === 0)).toEqual([]);
  });
});
