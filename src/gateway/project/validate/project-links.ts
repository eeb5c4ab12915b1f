import type { TableName } from '../fields.ts';
import type { ProblemCode } from '../problems.ts';
import type { RowOf } from '../project.ts';
import type { ProjectDraft } from '../project-draft.ts';

/** A message, or the byte range of a PDU in it. */
export interface Container {
  readonly message: RowOf<'messages'>;
  readonly byteOffset: number;
  readonly length: number;
}

interface InContainer {
  readonly message?: string;
  readonly pdu?: string;
}

/** Reports a problem of a row by its index among the valid rows of the table. */
export type Report = (index: number, field: string, code: ProblemCode, error: string) => void;

const groupBy = <R>(rows: readonly R[], keyOf: (row: R) => string | undefined) => {
  const groups = new Map<string, number[]>();
  rows.forEach((row, index) => {
    const key = keyOf(row);
    if (key === undefined) return;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [index]);
    else group.push(index);
  });
  return groups;
};

/** A draft with indexes from a row to the rows that refer to it. */
export class ProjectLinks {
  readonly draft: ProjectDraft;
  /** Binding indexes by message id, including bindings in PDUs. */
  readonly bindingsOfMessage: ReadonlyMap<string, readonly number[]>;
  readonly bindingsOfResource: ReadonlyMap<string, readonly number[]>;
  readonly pdusOfMessage: ReadonlyMap<string, readonly number[]>;
  /** Indexes of protecting e2e rows by message id. */
  readonly protectsOfMessage: ReadonlyMap<string, readonly number[]>;
  readonly tasksOfMessage: ReadonlyMap<string, readonly number[]>;

  constructor(draft: ProjectDraft) {
    const { bindings, pdus, e2e, tx_tasks } = draft.tables;
    this.draft = draft;
    this.bindingsOfMessage = groupBy(bindings.rows, (row) => this.containerOf(row)?.message.id);
    this.bindingsOfResource = groupBy(bindings.rows, ({ resource }) => resource);
    this.pdusOfMessage = groupBy(pdus.rows, ({ message }) => message);
    this.protectsOfMessage = groupBy(e2e.rows, (row) =>
      row.direction === 'protect' ? this.containerOf(row)?.message.id : undefined,
    );
    this.tasksOfMessage = groupBy(tx_tasks.rows, ({ message }) => message);
  }

  /** Undefined if the row names no or two containers, or an invalid one. */
  containerOf({ message: messageId, pdu: pduId }: InContainer): Container | undefined {
    const { messages, pdus } = this.draft.tables;
    if ((messageId === undefined) === (pduId === undefined)) return undefined;
    const pdu = pduId === undefined ? undefined : pdus.get(pduId);
    const message = messages.get(messageId ?? pdu?.message ?? '');
    if (message === undefined) return undefined;
    return {
      message,
      byteOffset: pdu?.byte_offset ?? 0,
      length: pdu?.length ?? message.length,
    };
  }

  reporter(table: TableName): Report {
    return (index, field, code, error) => this.draft.report(table, index, field, code, error);
  }
}

/** Text from the file, quoted for a message. */
export const quoted = (text: string): string => JSON.stringify(text);

/** Whether a row has exactly one of these fields; reports a problem otherwise. */
export const hasOneOf = <Field extends string>(
  row: Partial<Record<Field, unknown>>,
  fields: readonly Field[],
  index: number,
  report: Report,
): boolean => {
  const [first, second] = fields.filter((field) => row[field] !== undefined);
  const names = `${fields.slice(0, -1).join(', ')} or ${fields.at(-1)}`;
  if (first === undefined) {
    report(index, fields[0] ?? '', 'missing_field', `is required: give one of ${names}`);
  } else if (second !== undefined) {
    report(
      index,
      second,
      'conflicting_fields',
      `must not be combined with ${first}: set one of ${names}`,
    );
  }
  return first !== undefined && second === undefined;
};
