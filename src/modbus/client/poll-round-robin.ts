import type { ModbusSession } from '../session/modbus-session.ts';

export interface WaitingPoll {
  ask(): void;
}

export const maxReads = 512;

/** Serves the periodic reads of one session in due order, so that none starves. */
export class PollRoundRobin {
  readonly #waiting = new Set<WaitingPoll>();
  #taken = 0;
  #isPassing = false;

  request(turn: WaitingPoll): void {
    this.#waiting.add(turn);
    this.#pass();
  }

  leave(turn: WaitingPoll): boolean {
    return this.#waiting.delete(turn);
  }

  end(): void {
    this.#taken -= 1;
    this.#pass();
  }

  /** A read that fails completes immediately and must not re-enter this loop. */
  #pass(): void {
    if (this.#isPassing) return;
    this.#isPassing = true;
    for (const turn of this.#waiting) {
      if (this.#taken >= maxReads) break;
      this.#waiting.delete(turn);
      this.#taken += 1;
      turn.ask();
    }
    this.#isPassing = false;
  }
}

const turnsOfSessions = new WeakMap<ModbusSession, PollRoundRobin>();

export const turnsOf = (session: ModbusSession): PollRoundRobin => {
  const known = turnsOfSessions.get(session);
  if (known) return known;
  const turns = new PollRoundRobin();
  turnsOfSessions.set(session, turns);
  return turns;
};
