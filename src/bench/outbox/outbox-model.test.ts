import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../base/testing/long.ts';
import type { Lane, LaneOptions, LaneOwner, TxOutcome } from './lane.ts';
import { FakePort } from './testing/fake-port.ts';

const nothing = new Uint8Array(0);

/** Outcome of an accepted frame as reported to its owner, or its withdrawal. */
interface Sent {
  readonly id: number;
  outcome: TxOutcome | 'discarded' | undefined;
}

/**
 * The model: an owner knows its accepted frames in order. Each outcome is that of the first frame
 * without one, and the last frame is withdrawn first.
 */
class ModelOwner implements LaneOwner {
  readonly frames: Sent[] = [];
  readonly lane: Lane;
  /** Outcomes without a matching frame. */
  unexpected = 0;
  roomsReported = 0;
  wantsRoom = false;
  isClosed = false;
  /** Actions for the next reports, one each. */
  readonly reactions: (() => void)[] = [];
  readonly #port: FakePort;
  readonly #base: number;
  #isSending = false;
  #sends = 0;

  constructor(port: FakePort, number: number, options: LaneOptions) {
    this.#port = port;
    this.#base = (number + 1) * 10_000;
    this.lane = port.outbox.open(this, options);
  }

  settled(outcome: TxOutcome): void {
    const frame = this.frames.find((candidate) => candidate.outcome === undefined);
    if (frame) frame.outcome = outcome;
    else this.unexpected += 1;
    this.reactions.shift()?.();
  }

  room(): void {
    this.roomsReported += 1;
    this.wantsRoom = false;
    this.reactions.shift()?.();
  }

  send(deadlineUs: number | undefined): void {
    // The order of two frames is undefined if one is sent from inside the other's call.
    if (this.#isSending || this.isClosed) return;
    this.#isSending = true;
    const id = this.#base + this.#sends++;
    const untilUs = deadlineUs && this.#port.clock.monotonicUs() + deadlineUs;
    const result = this.lane.send(id, 0, 0, nothing, 0, 0, untilUs);
    if (result === 'accepted') this.frames.push({ id, outcome: undefined });
    if (result === 'full') this.wantsRoom = true;
    this.#isSending = false;
  }

  discard(): void {
    if (this.#isSending) return;
    let left = this.lane.discard();
    for (const frame of this.frames.toReversed()) {
      if (left === 0) break;
      if (frame.outcome !== undefined) continue;
      frame.outcome = 'discarded';
      left -= 1;
    }
    if (left > 0) this.unexpected += left;
  }

  close(): void {
    this.lane.close();
    this.isClosed = true;
    this.wantsRoom = false;
  }

  get open(): number {
    return this.frames.filter(({ outcome }) => outcome === undefined).length;
  }
}

type PortAction =
  | 'complete'
  | 'own'
  | 'fail'
  | 'lose'
  | 'return'
  | 'busOff'
  | 'recover'
  | 'configure'
  | 'closeChannel';

type Action =
  | { readonly do: 'send'; readonly owner: number; readonly deadlineUs: number | undefined }
  | { readonly do: 'discard' | 'closeLane'; readonly owner: number }
  | { readonly do: PortAction }
  | { readonly do: 'pass'; readonly us: number };

const owners = 4;
const owner = fc.nat(owners - 1);
const plain = (...names: PortAction[]) => fc.constantFrom(...names).map((name) => ({ do: name }));

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      owner,
      deadlineUs: fc.option(fc.nat(300), { nil: undefined, freq: 3 }),
    }),
  },
  { weight: 6, arbitrary: plain('complete') },
  { weight: 2, arbitrary: plain('own', 'fail', 'lose', 'return', 'configure') },
  { weight: 1, arbitrary: plain('busOff', 'recover') },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('discard' as const), owner }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pass' as const), us: fc.nat(200) }) },
);
/** Actions that end something, which are rare. */
const anyAction = fc.oneof(
  { weight: 40, arbitrary: action },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('closeLane' as const), owner }) },
);

const laneOptions: readonly LaneOptions[] = [
  {},
  { isUrgent: true },
  { max: 1 },
  { max: 3, reserved: 3 },
];

class Play {
  readonly port: FakePort;
  readonly owners: readonly ModelOwner[];
  isEnded = false;

  constructor(txDepth: number) {
    this.port = new FakePort({ capacity: 6, txDepth });
    this.owners = laneOptions.map((options, number) => new ModelOwner(this.port, number, options));
  }

  run(next: Action): void {
    if (next.do === 'pass') this.port.clock.advanceUs(next.us);
    else if (next.do === 'send') this.owners[next.owner]?.send(next.deadlineUs);
    else if (next.do === 'discard') this.owners[next.owner]?.discard();
    else if (next.do === 'closeLane') this.owners[next.owner]?.close();
    else this.#portActions[next.do]();
  }

  readonly #portActions: Record<PortAction, () => void> = {
    complete: () => this.port.complete(),
    own: () => this.port.sendOwn(),
    fail: () => this.port.fail(),
    lose: () => this.port.lose(),
    return: () => this.port.comeBack(),
    busOff: () => this.port.goBusOff(),
    recover: () => this.port.recover(),
    configure: () => this.port.configure(),
    closeChannel: () => {
      this.isEnded = true;
      this.port.outbox.end();
    },
  };

  finish(): void {
    const { port } = this;
    port.comeBack();
    port.recover();
    port.onSend = () => undefined;
    for (let round = 0; round < 500; round++) {
      port.clock.advanceUs(10);
      port.complete();
    }
    if (!this.isEnded) return;
    port.fail();
    port.outbox.closed();
  }
}

/** An action, and the actions inside the calls that it causes. */
interface Step {
  readonly first: Action;
  readonly insideSend: readonly Action[];
  readonly whenTold: readonly { readonly owner: number; readonly reaction: Action }[];
}

const stepOf = (any: fc.Arbitrary<Action>): fc.Arbitrary<Step> =>
  fc.record({
    first: any,
    insideSend: fc.array(any, { maxLength: 2 }),
    whenTold: fc.array(fc.record({ owner, reaction: any }), { maxLength: 2 }),
  });

const play = (txDepth: number, steps: readonly Step[]): Play => {
  const game = new Play(txDepth);
  const { port } = game;
  for (const { first, insideSend, whenTold } of steps) {
    const left = [...insideSend];
    port.onSend = () => {
      const next = left.shift();
      if (next) game.run(next);
    };
    for (const { owner: number, reaction } of whenTold) {
      game.owners[number]?.reactions.push(() => game.run(reaction));
    }
    game.run(first);
  }
  game.finish();
  return game;
};

const check = ({ port, owners: all }: Play): void => {
  expect(port.defects).toEqual([]);
  expect(port.outbox.waiting).toBe(0);
  const sent = new Set(port.sent);
  expect(sent.size).toBe(port.sent.length);
  const order = all.map(({ frames }) => frames.filter(({ id }) => sent.has(id)));
  for (const [place, one] of all.entries()) {
    expect(one.unexpected).toBe(0);
    expect(one.lane.pending).toBe(0);
    expect(one.wantsRoom).toBe(false);
    const ids = order[place]?.map(({ id }) => id);
    expect(port.sent.filter((id) => Math.floor(id / 10_000) === place + 1)).toEqual(ids);
    if (one.isClosed) continue;
    expect(one.open).toBe(0);
    const reported = one.frames.filter(({ outcome }) => outcome === 'sent').map(({ id }) => id);
    expect(reported).toEqual(ids);
  }
};

describe('an outbox, whatever happens to its port and whatever its owners do', () => {
  it('gives each accepted frame one outcome, in order, and leaves nothing behind', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }),
        fc.array(stepOf(anyAction), { maxLength: 60 }),
        (txDepth, steps) => check(play(txDepth, steps)),
      ),
      { numRuns: cases(40, 500), seed: 20_261_116 },
    );
  });

  it('does so when the channel is closed in the middle of it', () => {
    const closing = fc.oneof(
      { weight: 15, arbitrary: anyAction },
      { weight: 1, arbitrary: plain('closeChannel') },
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }),
        fc.array(stepOf(closing), { minLength: 10, maxLength: 40 }),
        (txDepth, steps) => {
          const game = play(txDepth, [
            ...steps,
            { first: { do: 'closeChannel' }, insideSend: [], whenTold: [] },
          ]);
          for (const one of game.owners) one.wantsRoom = false;
          check(game);
        },
      ),
      { numRuns: cases(40, 500), seed: 20_261_117 },
    );
  });
});
