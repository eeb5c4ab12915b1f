import type { ProblemCode } from '../problems.ts';
import type { RowOf } from '../project.ts';
import type { ProjectDraft } from '../project-draft.ts';
import type { TableName } from '../table-names.ts';

export interface Container {
  readonly message: RowOf<'messages'>;
  readonly byteOffset: number;
  readonly length: number;
}

interface InContainer {
  readonly message?: string;
  readonly pdu?: string;
}

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

/** A parsed project with indexes from a row to the rows that refer to it. */
export class ProjectLinks {
  readonly draft: ProjectDraft;
  readonly bindingsOfMessage: ReadonlyMap<string, readonly number[]>;
  readonly bindingsOfResource: ReadonlyMap<string, readonly number[]>;
  readonly pdusOfMessage: ReadonlyMap<string, readonly number[]>;
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

  /** Undefined if the row does not name exactly one valid container. */
  containerOf({ message: messageId, pdu: pduId }: InContainer): Container | undefined {
    const { messages, pdus } = this.draft.tables;
    if ((messageId === undefined) === (pduId === undefined)) return undefined;
    const pdu = pduId === undefined ? undefined : pdus.get(pduId);
    const message = messages.get(messageId ?? pdu?.message ?? '');
    if (message === undefined) return undefined;
    return { message, byteOffset: pdu?.byte_offset ?? 0, length: pdu?.length ?? message.length };
  }

  reporter(table: TableName): Report {
    return (index, field, code, error) => this.draft.report(table, index, field, code, error);
  }
}

export const quoted = (text: string): string => JSON.stringify(text);

/** Returns whether a row has exactly one of these fields, and reports a problem otherwise. */
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
