import type { Clock, Timer } from '../../base/clock/clock.ts';

export const heartbeatMs = 30_000;

/** The side of a connection that a heartbeat looks after. */
export interface HeartbeatPeer {
  ping(): void;
  /** Cuts the connection without a close frame. */
  terminate(): void;
  /** Whether something still waits for it, behind which a ping would wait too. */
  readonly isBehind: boolean;
  /** Whether it has shown since this was asked last that it is alive, other than by an answer. */
  takeProgress(): boolean;
}

/**
 * Pings a peer again and again, and cuts one that gave no sign of life since the ping before. One
 * that has something to fetch may take its time: a dead one is noticed by TCP then.
 */
export class Heartbeat {
  readonly #clock: Clock;
  readonly #peer: HeartbeatPeer;
  #timer: Timer;
  #isAnswered = true;

  constructor(clock: Clock, peer: HeartbeatPeer) {
    this.#clock = clock;
    this.#peer = peer;
    this.#timer = this.#wait();
  }

  answered(): void {
    this.#isAnswered = true;
  }

  stop(): void {
    this.#timer.cancel();
  }

  #wait(): Timer {
    return this.#clock.after(heartbeatMs, () => this.#beat());
  }

  #beat(): void {
    // Behind megabytes under way to a slow client, a ping may take long.
    const hasProgress = this.#peer.takeProgress();
    const { isBehind } = this.#peer;
    if (!this.#isAnswered && !hasProgress && !isBehind) {
      this.#peer.terminate();
      return;
    }
    this.#isAnswered = isBehind;
    if (!isBehind) this.#peer.ping();
    this.#timer = this.#wait();
  }
}
