import { signal } from '@preact/signals';
import type { ApiError } from '../../api/api-error.ts';

/** Rules that could not be switched for the same reason. */
export interface SwitchFailure {
  readonly rules: readonly string[];
  readonly error: ApiError;
}

const keyOf = (instance: string, rule: string): string => JSON.stringify([instance, rule]);

/** Rules of instances as they are switched: each waits for its own answer, and keeps its own refusal. */
export class FaultSwitches {
  readonly #send: (instance: string, rule: string, enabled: boolean) => Promise<unknown>;
  readonly #busy = signal<ReadonlySet<string>>(new Set());
  readonly #errors = signal<ReadonlyMap<string, ApiError>>(new Map());

  constructor(send: (instance: string, rule: string, enabled: boolean) => Promise<unknown>) {
    this.#send = send;
  }

  isBusy(instance: string, rule: string): boolean {
    return this.#busy.value.has(keyOf(instance, rule));
  }

  /** What was refused of these rules, and not done since. */
  failuresOf(instance: string, rules: readonly string[]): readonly SwitchFailure[] {
    const failures = new Map<string, { rules: string[]; error: ApiError }>();
    for (const rule of rules) {
      const error = this.#errors.value.get(keyOf(instance, rule));
      if (!error) continue;
      const reason = `${error.code} ${error.message}`;
      const known = failures.get(reason) ?? { rules: [], error };
      known.rules.push(rule);
      failures.set(reason, known);
    }
    return [...failures.values()];
  }

  async turn(instance: string, rule: string, enabled: boolean): Promise<void> {
    const key = keyOf(instance, rule);
    if (this.#busy.peek().has(key)) return;
    this.#busy.value = new Set([...this.#busy.peek(), key]);
    let error: ApiError | null = null;
    try {
      await this.#send(instance, rule, enabled);
    } catch (thrown) {
      error = thrown as ApiError;
    }
    const errors = new Map(this.#errors.peek());
    if (error) errors.set(key, error);
    else errors.delete(key);
    this.#errors.value = errors;
    this.#busy.value = new Set([...this.#busy.peek()].filter((each) => each !== key));
  }
}
