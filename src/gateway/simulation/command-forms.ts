import { invalidArgument } from '../../base/errors/busbar-error.ts';
import type { MessageRange } from './simulation.ts';

/**
 * Commands of simulations come in two forms: what is named by position is a manifest, what is named by
 * an option is a project.
 */
export interface LoadArguments {
  readonly manifest?: string | undefined;
  readonly file?: string | undefined;
  readonly instance?: string | undefined;
}

export interface NameArguments {
  readonly name?: string | undefined;
  readonly instance?: string | undefined;
}

type LoadForm = { readonly project: string } | { readonly manifest: string };
type NameForm = { readonly instance: string } | { readonly name: string };

const refuseBoth = (positional: string, option: string): never => {
  throw invalidArgument(option, `${option} is for projects: leave it or ${positional} out`, {
    reason: 'exclusive',
    with: [positional],
  });
};

/** What to load. */
export const loadForm = ({ manifest, file, instance }: LoadArguments): LoadForm => {
  if (manifest !== undefined && file !== undefined) return refuseBoth('manifest', 'file');
  if (file !== undefined) return { project: file };
  if (manifest === undefined) {
    throw invalidArgument('manifest', 'A manifest is needed, or a project in --file');
  }
  // With the name of an instance the service of projects is meant, however the file is given.
  return instance === undefined ? { manifest } : { project: manifest };
};

/** Which one is meant; undefined if none is named. */
export const nameForm = ({ name, instance }: NameArguments): NameForm | undefined => {
  if (name !== undefined && instance !== undefined) return refuseBoth('name', 'instance');
  if (instance !== undefined) return { instance };
  return name === undefined ? undefined : { name };
};

/** The same where one has to be named. */
export const neededNameForm = (given: NameArguments): NameForm => {
  const form = nameForm(given);
  if (form) return form;
  throw invalidArgument('name', 'The name of a simulation is needed, or --instance');
};

export interface PageSize {
  readonly default: number;
  readonly maximum: number;
}

/** The messages to show, of which fewer fit into a page than of tasks. */
export const simulatedRange = (
  offset: number,
  limit: number | undefined,
  page: PageSize,
): MessageRange => {
  if (limit === undefined) return { offset, limit: page.default };
  if (limit <= page.maximum) return { offset, limit };
  const { maximum } = page;
  throw invalidArgument('limit', `limit must be at most ${maximum} for messages of a manifest`, {
    reason: 'out_of_range',
    max: maximum,
  });
};
