import type { GatewayValidation } from '../../api/client.ts';
import { counted } from '../../format/figures.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { type Column, column } from '../../ui/table-columns.ts';
import { outcome } from './instances-state.ts';
import { type ProblemList, type ProjectProblem, placeOf, textOf } from './problems.ts';

const columns: readonly Column<ProjectProblem>[] = [
  column('place', 'Location', 200, placeOf, { least: 140 }),
  column('message', 'Problem', 320, textOf, { least: 200, grows: true }),
  column('code', 'Code', 168, ({ code }) => code, { mono: true, spare: 1 }),
];

const Problems = ({ file, problems, total }: ProblemList) => (
  <div class="outcome" data-testid="problems">
    <h3 data-tone="bad">
      <span aria-hidden="true">▲</span> {file}: {counted(total, 'problem')}
      {total > problems.length && `, first ${problems.length} shown`}
    </h3>
    <DataTable
      id="problems"
      label={`Problems of ${file}`}
      columns={columns}
      rows={problems}
      keyOf={(_, index) => index}
    />
  </div>
);

const nouns: Readonly<Partial<Record<string, string>>> = {
  e2e: 'E2E rule',
  pdus: 'PDU',
  tx_tasks: 'TX task',
  modbus_resources: 'Modbus resource',
};

export const countsText = (counts: GatewayValidation['counts']): string =>
  Object.entries(counts)
    .filter(([, rows]) => rows > 0)
    .map(([table, rows]) =>
      counted(rows, nouns[table] ?? table.replaceAll('_', ' ').replace(/s$/, '')),
    )
    .join(', ');

export const OutcomeView = () => {
  const last = outcome.value;
  if (last === null) return null;
  if (last.kind === 'problems') return <Problems {...last} />;
  if (last.kind === 'refused') return <ErrorNotice error={last.error} testId="project-error" />;
  return (
    <Notice tone="good" testId="valid">
      <p>
        <span aria-hidden="true">✓</span> {last.file} is valid.
      </p>
      <p class="quiet">{countsText(last.validation.counts)}</p>
    </Notice>
  );
};
