import type { ModbusSession } from '../session/modbus-session.ts';

/** What waits until it may ask. */
export interface PollTurn {
  ask(): void;
}

/** Reads of a session that are under way at a time: half of its queue, so that there is room for other requests. */
export const mostReads = 512;

/**
 * Gives the periodic reads of one session their turns, in the order in which they were due. However many there are,
 * none of them is left out for ever.
 */
export class PollTurns {
  readonly #waiting = new Set<PollTurn>();
  #taken = 0;
  #isPassing = false;

  /** Lets it ask, now or as soon as others are done. */
  request(turn: PollTurn): void {
    this.#waiting.add(turn);
    this.#pass();
  }

  /** Does not wait any longer. False if it did not wait. */
  leave(turn: PollTurn): boolean {
    return this.#waiting.delete(turn);
  }

  /** What was asked has ended. */
  end(): void {
    this.#taken -= 1;
    this.#pass();
  }

  /** One that cannot ask ends at once: that must not begin this again. */
  #pass(): void {
    if (this.#isPassing) return;
    this.#isPassing = true;
    for (const turn of this.#waiting) {
      if (this.#taken >= mostReads) break;
      this.#waiting.delete(turn);
      this.#taken += 1;
      turn.ask();
    }
    this.#isPassing = false;
  }
}

const turnsOfSessions = new WeakMap<ModbusSession, PollTurns>();

/** Those of a session, whichever part of the service reads over it. */
export const turnsOf = (session: ModbusSession): PollTurns => {
  const known = turnsOfSessions.get(session);
  if (known) return known;
  const turns = new PollTurns();
  turnsOfSessions.set(session, turns);
  return turns;
};
