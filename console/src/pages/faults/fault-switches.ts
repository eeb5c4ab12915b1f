import { signal } from '@preact/signals';
import type { ApiError } from '../../api/api-error.ts';
import type { GatewayFault } from '../../api/client.ts';

const ordinal = (number: number): string => {
  const tens = number % 100;
  const suffix = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${suffix}`;
};

export const triggerText = ({ start, every, count }: GatewayFault): string =>
  [
    every > 1 ? `Every ${ordinal(every)} frame` : 'Every frame',
    ...(start > 1 ? [`from the ${ordinal(start)}`] : []),
    ...(count > 0 ? [count === 1 ? 'once' : `at most ${count} times`] : []),
  ].join(', ');

const hex = (value: number): string => `0x${value.toString(16).toUpperCase().padStart(2, '0')}`;

export const effectText = (rule: GatewayFault): string => {
  const { byte_offset = 0, mask = 0 } = rule;
  switch (rule.kind) {
    case 'drop':
      return 'Drops the frame; the counter still advances';
    case 'repeat':
      return 'Sends the last good frame again';
    case 'bypass':
      return 'Sends the frame without E2E protection';
    case 'suppress':
      return 'Suppresses the frame as if it were not due';
    case 'xor_byte':
      return `Flips bits ${hex(mask)} of byte ${byte_offset}`;
    case 'set_byte':
      return `Overwrites byte ${byte_offset} with ${hex(mask)}`;
    case 'freeze_counter':
      return 'Freezes the counter';
    case 'counter_jump':
      return `Jumps the counter${rule.value === undefined ? '' : ` by ${rule.value}`}`;
    case 'corrupt_checksum':
      return 'Corrupts the checksum';
  }
};

interface SwitchFailure {
  readonly rules: readonly string[];
  readonly error: ApiError;
}

/** Identifies one load of an instance, because another can reuse its name. */
export interface LoadedInstance {
  readonly name: string;
  readonly loadedAtUs: number;
}

type Rule = Pick<GatewayFault, 'id' | 'enabled'>;

const keyOf = ({ name, loadedAtUs }: LoadedInstance, rule: string): string =>
  JSON.stringify([name, loadedAtUs, rule]);

interface Refusal {
  readonly error: ApiError;
  readonly enabled: boolean;
}

/** Switches fault rules. Each rule waits for its own response and has its own error. */
export class FaultSwitches {
  readonly #send: (instance: string, rule: string, enabled: boolean) => Promise<unknown>;
  readonly #busy = signal<ReadonlySet<string>>(new Set());
  readonly #refusals = signal<ReadonlyMap<string, Refusal>>(new Map());

  constructor(send: (instance: string, rule: string, enabled: boolean) => Promise<unknown>) {
    this.#send = send;
  }

  isBusy(instance: LoadedInstance, rule: string): boolean {
    return this.#busy.value.has(keyOf(instance, rule));
  }

  failuresOf(instance: LoadedInstance, rules: readonly Rule[]): readonly SwitchFailure[] {
    const failures = new Map<string, { rules: string[]; error: ApiError }>();
    for (const { id, enabled } of rules) {
      const refusal = this.#refusals.value.get(keyOf(instance, id));
      if (!refusal || refusal.enabled === enabled) continue;
      const { error } = refusal;
      const reason = `${error.code} ${error.message}`;
      const known = failures.get(reason) ?? { rules: [], error };
      known.rules.push(id);
      failures.set(reason, known);
    }
    return [...failures.values()];
  }

  async turn(instance: LoadedInstance, rule: string, enabled: boolean): Promise<void> {
    const key = keyOf(instance, rule);
    if (this.#busy.peek().has(key)) return;
    this.#busy.value = new Set([...this.#busy.peek(), key]);
    let error: ApiError | null = null;
    try {
      await this.#send(instance.name, rule, enabled);
    } catch (thrown) {
      error = thrown as ApiError;
    }
    const refusals = new Map(this.#refusals.peek());
    if (error) refusals.set(key, { error, enabled });
    else refusals.delete(key);
    this.#refusals.value = refusals;
    this.#busy.value = new Set([...this.#busy.peek()].filter((each) => each !== key));
  }
}
