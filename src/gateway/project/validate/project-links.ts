import type { TableName } from '../fields.ts';
import type { ProblemCode } from '../problems.ts';
import type { RowOf } from '../project.ts';
import type { ProjectDraft } from '../project-draft.ts';

/** Where bindings and protection lie: a message, or the byte range of it that a PDU is. */
export interface Container {
  readonly message: RowOf<'messages'>;
  /** First byte inside the message. */
  readonly byteOffset: number;
  /** Bytes. */
  readonly length: number;
}

interface InContainer {
  readonly message?: string;
  readonly pdu?: string;
}

/** Reports what is wrong with the row at an index of the sound rows of one table. */
export type Report = (index: number, field: string, code: ProblemCode, flaw: string) => void;

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

/** A draft with the ways from a row to those that refer to it, found once for all rules. */
export class ProjectLinks {
  readonly draft: ProjectDraft;
  /** Bindings by the id of the message that they lie in, directly or in a PDU. */
  readonly bindingsOfMessage: ReadonlyMap<string, readonly number[]>;
  readonly bindingsOfResource: ReadonlyMap<string, readonly number[]>;
  readonly pdusOfMessage: ReadonlyMap<string, readonly number[]>;
  /** Rows of e2e that protect, by the id of the message. */
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

  /** Where a row lies; undefined if it does not say, says two things, or that row has problems. */
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
    return (index, field, code, flaw) => this.draft.report(table, index, field, code, flaw);
  }
}

/** An id, or what else came from the file, as it stands in a sentence. */
export const quoted = (text: string): string => JSON.stringify(text);

/** Whether a row has exactly one of its fields; reports it otherwise. */
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
      `must not stand beside ${first}: give one of ${names}`,
    );
  }
  return first !== undefined && second === undefined;
};
