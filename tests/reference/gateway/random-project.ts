import { ProjectDraft } from './project-draft.ts';
import { Random } from './random.ts';
import { addMappings } from './random-mappings.ts';
import { addFilledMessage } from './random-messages.ts';
import { RandomModbus } from './random-modbus.ts';
import { addOwnSignals } from './random-signals.ts';
import { addTask } from './random-tasks.ts';

const addCanEndpoints = (draft: ProjectDraft, count: number): void => {
  for (let left = count; left > 0; left -= 1) {
    const id = draft.name('can');
    draft.tables.endpoints.push({ id, kind: 'can', network: id });
  }
};

const addReceived = (random: Random, draft: ProjectDraft, count: number): void => {
  for (let left = count; left > 0; left -= 1) addFilledMessage(random, draft, 'rx');
};

const addSent = (random: Random, draft: ProjectDraft, count: number): void => {
  for (let left = count; left > 0; left -= 1) {
    addTask(random, draft, addFilledMessage(random, draft, 'tx'));
  }
};

/** A valid project on CAN, the same for the same seed. */
export const randomProject = (seed: number): object => {
  const random = new Random(seed);
  const draft = new ProjectDraft();
  addCanEndpoints(draft, random.integer(1, 3));
  addOwnSignals(random, draft);
  addReceived(random, draft, random.pick([1, 1, 2, 3]));
  addMappings(random, draft);
  addSent(random, draft, random.integer(1, 3));
  return draft.toProject();
};

/** A valid project with Modbus, and sometimes with CAN, the same for the same seed. */
export const randomModbusProject = (seed: number): object => {
  const random = new Random(seed);
  const draft = new ProjectDraft();
  const hasCan = random.chance(0.6);
  if (hasCan) addCanEndpoints(draft, 1);
  const modbus = new RandomModbus(random, draft);
  addOwnSignals(random, draft);
  if (hasCan) addReceived(random, draft, random.integer(0, 1));
  modbus.addInputs();
  addMappings(random, draft);
  modbus.addOutputs();
  if (hasCan) addSent(random, draft, random.integer(0, 1));
  return draft.toProject();
};
