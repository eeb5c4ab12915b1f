import { invalidArgument } from '../../base/errors/busbar-error.ts';
import type { InstanceKind } from '../project/instance-name.ts';

// Simulation commands have two forms: a positional argument is a manifest, an option is a
// project.

export interface LoadArguments {
  readonly manifest?: string | undefined;
  readonly file?: string | undefined;
  readonly instance?: string | undefined;
}

export interface NameArguments {
  readonly name?: string | undefined;
  readonly instance?: string | undefined;
}

export interface NamedInstance {
  readonly name: string;
  readonly kind?: InstanceKind;
}

const refuseBoth = (positional: string, option: string): never => {
  throw invalidArgument(option, `${option} applies to projects only: omit it or ${positional}`, {
    reason: 'exclusive',
    with: [positional],
  });
};

export const loadForm = ({ manifest, file, instance }: LoadArguments) => {
  if (manifest !== undefined && file !== undefined) return refuseBoth('manifest', 'file');
  if (file !== undefined) return { file, instance, kind: 'project' } as const;
  if (manifest === undefined) {
    throw invalidArgument('manifest', 'A manifest is required, or a project in --file');
  }
  // The name of an instance selects a project, regardless of the form.
  const kind = instance === undefined ? 'manifest' : 'project';
  return { file: manifest, instance, kind } as const;
};

export const nameForm = ({
  name,
  instance,
}: NameArguments): Required<NamedInstance> | undefined => {
  if (name !== undefined && instance !== undefined) return refuseBoth('name', 'instance');
  if (instance !== undefined) return { name: instance, kind: 'project' };
  return name === undefined ? undefined : { name, kind: 'manifest' };
};

export const neededNameForm = (given: NameArguments): NamedInstance => {
  const form = nameForm(given);
  if (form) return form;
  throw invalidArgument('name', 'The name of a simulation is required, or --instance');
};
