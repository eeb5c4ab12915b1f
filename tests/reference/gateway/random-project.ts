import { ProjectDraft } from './project-draft.ts';
import { Random } from './random.ts';
import { addMappings } from './random-mappings.ts';
import { addFilledMessage } from './random-messages.ts';
import { addOwnSignals } from './random-signals.ts';
import { addTask } from './random-tasks.ts';

/** A valid project on CAN, the same for the same seed. */
export const randomProject = (seed: number): object => {
  const random = new Random(seed);
  const draft = new ProjectDraft();
  for (let left = random.integer(1, 3); left > 0; left -= 1) {
    const id = draft.name('can');
    draft.tables.endpoints.push({ id, kind: 'can', network: id });
  }
  addOwnSignals(random, draft);
  for (let left = random.pick([1, 1, 2, 3]); left > 0; left -= 1) {
    addFilledMessage(random, draft, 'rx');
  }
  addMappings(random, draft);
  for (let left = random.integer(1, 3); left > 0; left -= 1) {
    addTask(random, draft, addFilledMessage(random, draft, 'tx'));
  }
  return draft.toProject();
};
