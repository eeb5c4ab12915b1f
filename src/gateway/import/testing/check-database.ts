import type { Database } from '../../../database/model.ts';
import { loadProject } from '../../project/load-project.ts';
import type { Direction } from '../../project/tables/messages.ts';
import type { Random } from '../../project/validate/testing/mutations.ts';
import { projectText } from '../../project/write-project.ts';
import { boundMessages } from './bound-signals.ts';
import { Comparison, compareReceived, compareSent } from './compare-with-plans.ts';
import { finishedImport } from './finished-import.ts';

/** Result of importing a database in one direction. */
export interface DatabaseCheck {
  readonly messages: number;
  readonly signals: number;
  /** Signals and messages that the import reports as omitted or refused. */
  readonly omitted: number;
  readonly refused: number;
  readonly frames: number;
  readonly values: number;
  readonly rounded: number;
  readonly differences: readonly string[];
}

const nothing: DatabaseCheck = {
  messages: 0,
  signals: 0,
  omitted: 0,
  refused: 0,
  frames: 0,
  values: 0,
  rounded: 0,
  differences: [],
};

/**
 * Imports a database in one direction, validates the project as a file, and compares decoding and
 * encoding by its codecs with signal plans.
 */
export const checkDatabase = (
  database: Database,
  direction: Direction,
  frames: number,
  random: Random,
): DatabaseCheck => {
  const imported = finishedImport(database, direction);
  if (imported === null) return { ...nothing, refused: database.messages.length };
  const text = [...projectText(imported.project)].join('');
  const project = loadProject(new TextEncoder().encode(text));
  const comparison = new Comparison();
  const compare = direction === 'rx' ? compareReceived : compareSent;
  const messages = boundMessages(imported.database.messages, project);
  for (const bound of messages) {
    if (bound.signals.length > 0) compare(bound, frames, random, comparison);
  }
  const signals = messages.reduce((sum, bound) => sum + bound.signals.length, 0);
  if (signals !== project.bindings.length || messages.length !== project.messages.length) {
    comparison.differences.push(`${project.bindings.length} bindings, of which ${signals} found`);
  }
  const { frames: compared, values, rounded, differences } = comparison;
  return {
    messages: messages.length,
    signals,
    omitted: imported.omitted.length,
    refused: imported.refused.length,
    frames: compared,
    values,
    rounded,
    differences,
  };
};
