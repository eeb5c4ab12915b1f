import type { ComponentChildren, ComponentProps } from 'preact';
import type { ApiError } from '../api/api-error.ts';
import type { Resource } from '../state/resource.ts';
import { DataTable } from './data-table.tsx';
import { ErrorNotice } from './notice.tsx';
import { type Freshness, Panel } from './panel.tsx';
import { freshness as freshnessOf } from './use-resource.ts';

interface ListPanelProps<Row> extends Omit<ComponentProps<typeof DataTable<Row>>, 'id' | 'label'> {
  /** Id of the table and start of the test ids: `<name>`, `<name>-error`, `<name>-table`. */
  readonly name: string;
  readonly title: string;
  readonly source?: Resource<unknown>;
  /** For rows that are not of a resource. */
  readonly freshness?: Freshness;
  /** An error of an action on a row; shown instead of an error of the resource. */
  readonly error?: ApiError | null;
  readonly header?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly label?: string;
  readonly class?: string;
  readonly children?: ComponentChildren;
  readonly footer?: ComponentChildren;
}

export const ListPanel = <Row,>(props: ListPanelProps<Row>) => {
  const { name, title, source, error, header, label = title, class: className, ...rest } = props;
  const { freshness = source && freshnessOf(source), children, footer, actions, ...table } = rest;
  return (
    <Panel
      title={title}
      testId={name}
      {...(freshness && { freshness })}
      {...(className === undefined ? {} : { class: className })}
      actions={actions}
      header={header ?? <span class="aside">{table.rows?.length}</span>}
    >
      {children}
      <ErrorNotice error={error ?? source?.error.value ?? null} testId={`${name}-error`} />
      <DataTable<Row> {...table} id={name} label={label} />
      {footer}
    </Panel>
  );
};
