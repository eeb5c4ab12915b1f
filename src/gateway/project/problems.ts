import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { TableName } from './table-names.ts';

/** Kinds of problems in a project: validation reports these codes, and the reference lists them. */
export const problemCodes = {
  invalid_json: 'The file is not JSON',
  duplicate_key: 'A key occurs twice in one object',
  wrong_type: 'The value has the wrong JSON type',
  missing_field: 'A required field is missing',
  unknown_field: 'Unknown field',
  not_applicable: 'The field does not apply to a row of this kind',
  conflicting_fields: 'The fields exclude each other',
  invalid_choice: 'The value is not one of the allowed values',
  invalid_text: 'The text does not have the required form',
  out_of_range: 'The number, text or list is too small or too large',
  inexact: 'The number cannot be represented exactly',
  invalid_value: 'The value is not valid for the signal, raw value, counter or checksum',
  duplicate_value: 'A value occurs twice in one list',
  duplicate_id: 'Two rows of a table have the same id',
  dangling_reference: 'No row has this id',
  wrong_kind: 'The referenced row is of the wrong kind',
  wrong_direction: 'One row receives and the other sends',
  wrong_role: 'The endpoint is a client where a server is required, or vice versa',
  wrong_access: 'The access of the resource is not allowed here',
  read_only_table: 'The Modbus table cannot be written',
  several_units: 'A server has more than one unit id on a network',
  mixed_endpoints: 'Resources of one task belong to several endpoints',
  wrong_signal_type: 'The signal has the wrong type',
  wrong_producer: 'The producer of the signal does not allow this writer',
  no_writer: 'Nothing writes the signal',
  several_writers: 'More than one row writes the signal',
  no_binding: 'No binding uses the resource',
  several_bindings: 'More than one binding writes the resource',
  size_mismatch: 'The number of bits of the codec, field or resource is wrong',
  invalid_length: 'No CAN or CAN FD frame has that length',
  duplicate_message: 'The identifier occurs twice on an endpoint in one direction',
  out_of_bounds: 'The position is outside its message, PDU or resource',
  overlap: 'Two rows or fields overlap',
  protected_bits: 'A binding writes bits that end-to-end protection writes',
  misaligned: 'The position is not aligned as the profile requires',
  wrong_selector: 'The binding cannot be the selector',
  too_complex: 'Multiplexing has more pages than can be checked',
  circular: 'Rows depend on each other in a cycle',
  wrong_arity: 'The transformation has the wrong number of inputs or outputs',
  no_task: 'No task sends the message or writes the resource',
  several_tasks: 'More than one task sends the message or writes the resource',
  split_word: 'Bits of one word belong to several tasks',
  request_message: 'A binding writes a message that only a processor may fill',
  unprotected_task: 'The fault needs a counter or checksum that the task does not have',
  no_effect: 'The fault has no effect',
  unsafe_path: 'The path is outside the plugins folder',
} as const;

export type ProblemCode = keyof typeof problemCodes;

interface ProjectLocation {
  readonly table: TableName | null;
  readonly row: string | null;
  readonly index: number | null;
  readonly field: string;
}

export interface Problem extends ProjectLocation {
  readonly code: ProblemCode;
  readonly message: string;
}

/** Enough to repair a file, without letting a hostile file inflate the response. */
export const maxProblems = 200;

export class Problems {
  readonly #shown: Problem[] = [];
  #total = 0;

  get shown(): readonly Problem[] {
    return this.#shown;
  }

  get total(): number {
    return this.#total;
  }

  /** True if further problems are only counted and need no message. */
  get isFull(): boolean {
    return this.#shown.length >= maxProblems;
  }

  add(problem: Problem): void {
    this.#total += 1;
    if (!this.isFull) this.#shown.push(problem);
  }

  addUnseen(count: number): void {
    this.#total += count;
  }
}

export const invalidProject = (
  what: 'project' | 'manifest',
  { shown, total }: Problems,
  file?: string,
): BusbarError => {
  const first = shown[0]?.message ?? '';
  const message =
    total === 1
      ? `The ${what} has a problem: ${first}`
      : `The ${what} has ${total} problems, first of them: ${first}`;
  const named = file === undefined ? {} : { file };
  return new BusbarError('invalid_project', {
    message,
    details: { ...named, problems: shown, total },
  });
};
