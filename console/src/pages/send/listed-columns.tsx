import type { TxTask } from '../../api/client.ts';
import { act } from '../../forms/act.ts';
import { channels } from '../../state/bench.ts';
import type { Resource } from '../../state/resource.ts';
import { actionColumn } from '../../ui/action-column.tsx';
import { type Column, column } from '../../ui/table-columns.ts';

interface Listed {
  readonly offloaded: boolean;
  readonly last_error: { readonly code: string } | null;
}

export const channelName = ({ slot, selector }: Pick<TxTask, 'slot' | 'selector'>): string =>
  channels.data.value?.channels.find((channel) => channel.slot === slot)?.name ?? selector;

export const outcomeColumns = <Row extends Listed>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  remove: (row: Row) => unknown,
): readonly Column<Row>[] => [
  column('offloaded', 'Runs on', 72, ({ offloaded }) => (offloaded ? 'device' : 'daemon'), {
    spare: 6,
  }),
  ...(rows.some(({ last_error }) => last_error !== null)
    ? [
        column<Row>('error', 'Last error', 152, ({ last_error }) => last_error?.code ?? '', {
          ...{ least: 112, grows: true },
        }),
      ]
    : []),
  actionColumn('remove', 48, { title: 'Remove', label: '✕', nameOf, run: remove }),
];

export const removal = <Row,>(list: Resource<unknown>, removeRow: (row: Row) => Promise<unknown>) =>
  act(async (row: Row) => {
    try {
      await removeRow(row);
    } finally {
      await list.refresh();
    }
  });
