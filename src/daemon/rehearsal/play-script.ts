import type { Operation } from '../../operations/define.ts';
import { prepareValidation } from '../../operations/validate.ts';
import { ending, flood, meanwhile, opening, rounds, type Step } from './rehearsal-script.ts';

export interface RehearsedBench {
  readonly operations: readonly Operation[];
  /** Carries out an operation on the bench of the rehearsal. */
  readonly invoke: (operation: string, input: object) => Promise<unknown>;
  /** Lets a gateway run on it, while frames come. */
  readonly runGateway: () => Promise<void>;
  readonly onDefect: (thrown: unknown) => void;
}

/**
 * Lets the bench thread do its work once on a bench of its own before a caller waits for it. V8 compiles
 * a function when it is first called and again when it is called often, and both take longer than a
 * deadline may wait. What goes wrong is told: deadlines will be late at first, which is no reason not to
 * serve.
 */
export const playScript = async (bench: RehearsedBench): Promise<void> => {
  const { operations, invoke, runGateway, onDefect } = bench;
  const take = async (steps: readonly Step[]): Promise<void> => {
    for (const step of steps) await invoke(...step);
  };
  for (const operation of operations) {
    if (operation.execution.place === 'bench') prepareValidation(operation);
  }
  try {
    await take(opening);
    for (let round = 0; round < rounds; round++) await take(meanwhile);
    await take(flood);
    await runGateway();
    await take(ending);
  } catch (thrown) {
    onDefect(thrown);
  }
};
