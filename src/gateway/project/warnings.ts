import { Type } from 'typebox';
import { counted, named, nullable, type RecordOf, recordCodes } from '../../base/schema/schemas.ts';
import { maxProblems } from './problems.ts';
import type { Project } from './project.ts';
import { tableNames } from './table-names.ts';

export const warningMessages = {
  never_sent:
    'The task never sends: its message has no signals that could change. Bind some, or set the policy to periodic',
} as const;

const WarningCode = recordCodes('GatewayWarningCode', warningMessages);

export const TaskWarning = Type.Object({ code: WarningCode, message: Type.String() });

const GatewayWarning = named(
  'GatewayWarning',
  Type.Object({
    table: Type.Enum([...tableNames]),
    row: nullable(Type.String(), { description: 'Id of the row' }),
    index: Type.Integer({ minimum: 0, description: 'Which row of its table, from 0' }),
    field: Type.String(),
    code: WarningCode,
    message: Type.String(),
  }),
);
type GatewayWarning = RecordOf<typeof GatewayWarning>;

export const warningFields = {
  warnings: Type.Array(GatewayWarning, {
    description: `Probable mistakes; at most ${maxProblems}`,
  }),
  warnings_total: counted('All of these'),
};

export const warningsOf = ({ tx_tasks, bindings, pdus }: Project) => {
  const messageOfPdu = new Map(pdus.map(({ id, message }) => [id, message]));
  const bound = new Set(
    bindings
      .filter(({ direction }) => direction === 'tx')
      .map(({ message, pdu = '' }) => message ?? messageOfPdu.get(pdu)),
  );
  const warnings: GatewayWarning[] = [];
  for (const [index, { id, message, policy }] of tx_tasks.entries()) {
    if (policy !== 'on_change' || message === undefined || bound.has(message)) continue;
    const place = { table: 'tx_tasks', row: id, index, field: 'policy' } as const;
    warnings.push({ ...place, code: 'never_sent', message: warningMessages.never_sent });
  }
  return { warnings: warnings.slice(0, maxProblems), warnings_total: warnings.length };
};
