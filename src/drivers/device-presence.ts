import type { ChannelSink } from './channel-sink.ts';
import { eventStatus } from './event-status.ts';

export type PresenceAction = 'leave' | 'reportLost' | 'awaitReturn' | 'reportReturned';

type Transition<State extends string> = readonly [next: State, ...actions: PresenceAction[]];

/** Next state by state and input. Inputs without an entry change nothing. */
export type PresenceTable<State extends string, Input extends string> = Readonly<
  Record<State, Readonly<Partial<Record<Input, Transition<State>>>>>
>;

type DeviceState = 'starting' | 'present' | 'changing' | 'lost' | 'returning' | 'closed';

/**
 * `ready`: the device runs with the channel's settings. `change`: its settings are about to change.
 * `gone`: it was removed. `found`: it has returned and is being set up. `failed`: the setup failed.
 */
type DeviceInput = 'ready' | 'change' | 'gone' | 'found' | 'failed' | 'close';

const close = ['closed'] as const;
const lose = ['lost', 'leave', 'reportLost'] as const;
const loseAndAwait = ['lost', 'leave', 'reportLost', 'awaitReturn'] as const;

/**
 * A LIN node on a serial port.
 *
 *     starting ── ready ──> present ── change ──> changing ── ready ──> present
 *
 *     starting, present, changing ── gone ──> lost ── found ──> returning ── ready ──> present
 *                                               ^                   │
 *                                               └───── failed ──────┘
 *     any ── close ──> closed
 */
export const linUartPresence: PresenceTable<DeviceState, DeviceInput> = {
  starting: { ready: ['present'], gone: loseAndAwait, close },
  present: { change: ['changing'], gone: loseAndAwait, close },
  changing: { ready: ['present'], gone: loseAndAwait, close },
  lost: { found: ['returning'], close },
  returning: { ready: ['present', 'reportReturned'], failed: ['lost'], close },
  closed: {},
};

/**
 * An slcan adapter. When a response is lost, no response may be matched to a later frame or command
 * until both sides are in sync again. The `SlcanDevice` of the address searches for a lost adapter.
 *
 *     starting ── ready ──> present ── change ──> changing ── ready ──> present
 *                            │   ^                 │    ^
 *                  unanswered│   │inSync unanswered│    │inSync
 *                            v   │                 v    │
 *                          outOfSync ── change ──> changingOutOfSync
 *
 *     any of these ── gone ──> lost ── found ──> returning ── ready ──> present
 *                               ^                    │
 *                               └── gone, failed ────┘
 *     any ── close ──> closed
 */
export const slcanPresence: PresenceTable<
  DeviceState | 'outOfSync' | 'changingOutOfSync',
  DeviceInput | 'unanswered' | 'inSync'
> = {
  starting: { ready: ['present'], gone: lose, close },
  present: { change: ['changing'], unanswered: ['outOfSync'], gone: lose, close },
  outOfSync: { inSync: ['present'], change: ['changingOutOfSync'], gone: lose, close },
  changing: { ready: ['present'], unanswered: ['changingOutOfSync'], gone: lose, close },
  changingOutOfSync: { inSync: ['changing'], gone: lose, close },
  lost: { found: ['returning'], close },
  returning: {
    ready: ['present', 'reportReturned'],
    gone: ['lost', 'leave'],
    failed: ['lost', 'leave'],
    close,
  },
  closed: {},
};

/**
 * A kernel CAN interface. Its socket may report it down (`down`) before its link event does
 * (`gone`). During a change of ours the interface may go down: `restarted` confirms that we did
 * it, otherwise another program did. `broken`: our change failed halfway.
 *
 *     starting ── ready ──> present ── change ──> changing ── ready ──> present
 *                                                  │    ^
 *                                              down│    │restarted
 *                                                  v    │
 *                                                disturbed ── ready ──> lost
 *
 *     present ── gone, down ──> lost ── found ──> returning ── ready ──> present
 *     changing, disturbed ── broken ──> lost <── failed ──┘
 *     any ── close ──> closed
 */
export const socketCanPresence: PresenceTable<
  DeviceState | 'disturbed',
  DeviceInput | 'down' | 'restarted' | 'broken'
> = {
  starting: { ready: ['present'], close },
  present: { change: ['changing'], gone: lose, down: loseAndAwait, close },
  changing: { ready: ['present'], down: ['disturbed'], broken: loseAndAwait, close },
  disturbed: { restarted: ['changing'], ready: lose, broken: loseAndAwait, close },
  lost: { found: ['returning'], down: ['lost', 'awaitReturn'], close },
  returning: { ready: ['present', 'reportReturned'], failed: ['lost', 'awaitReturn'], close },
  closed: {},
};

export interface PresenceActions {
  /** Takes the channel off the bus. Frames without an outcome fail. */
  leave(): void;
  report(status: number): void;
  awaitReturn?(): void;
  readonly reporter: { readonly sink: Pick<ChannelSink, 'lost' | 'returned'> };
}

const absent: ReadonlySet<string> = new Set(['lost', 'returning', 'closed']);

export class DevicePresence<State extends string, Input extends string> {
  readonly #table: PresenceTable<State, Input>;
  readonly #actions: PresenceActions;
  #state: State;
  #isThere = true;

  constructor(table: PresenceTable<State, Input>, start: State, actions: PresenceActions) {
    this.#table = table;
    this.#state = start;
    this.#actions = actions;
  }

  get state(): State {
    return this.#state;
  }

  get isThere(): boolean {
    return this.#isThere;
  }

  get isClosed(): boolean {
    return this.#state === 'closed';
  }

  take(input: Input): void {
    const transition: Transition<State> | undefined = this.#table[this.#state][input];
    if (!transition) return;
    const [next, ...actions] = transition;
    this.#state = next;
    this.#isThere = !absent.has(next);
    for (const action of actions) {
      this.#perform(action);
      // A listener may have closed the channel.
      if (this.#state !== next) return;
    }
  }

  #perform(action: PresenceAction): void {
    const { reporter } = this.#actions;
    if (action === 'leave') this.#actions.leave();
    else if (action === 'awaitReturn') this.#actions.awaitReturn?.();
    else if (action === 'reportLost') {
      this.#actions.report(eventStatus.device_lost);
      reporter.sink.lost();
    } else {
      this.#actions.report(eventStatus.device_returned);
      reporter.sink.returned();
    }
  }
}
