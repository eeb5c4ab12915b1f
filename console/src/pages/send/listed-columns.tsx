import { useSignal } from '@preact/signals';
import type { ApiError } from '../../api/api-error.ts';
import type { TxTask } from '../../api/client.ts';
import { channels } from '../../state/bench.ts';
import type { Column } from '../../ui/table-columns.ts';

/** What tasks and routes have in common: they run by themselves until they are removed. */
interface Listed {
  readonly offloaded: boolean;
  readonly last_error: { readonly code: string } | null;
}

/** The name of a channel, else its port: slots and selectors as given say little to others. */
export const channelName = ({ slot, selector }: Pick<TxTask, 'slot' | 'selector'>): string =>
  channels.data.value?.channels.find((channel) => channel.slot === slot)?.name ?? selector;

const errorColumn: Column<Listed> = {
  id: 'error',
  title: 'Last error',
  width: 152,
  least: 112,
  grows: true,
  text: ({ last_error }) => last_error?.code ?? '',
};

/** Where it runs, and what went wrong last where anything did. */
export const outcomeColumns = <Row extends Listed>(
  rows: readonly Row[],
): readonly Column<Row>[] => [
  {
    id: 'offloaded',
    title: 'Runs in',
    width: 72,
    spare: 6,
    text: ({ offloaded }) => (offloaded ? 'device' : 'daemon'),
  },
  ...(rows.some(({ last_error }) => last_error !== null) ? [errorColumn] : []),
];

/** A button in each row. */
export const removeColumn = <Row,>(
  idOf: (row: Row) => string,
  remove: (row: Row) => void,
): Column<Row> => ({
  id: 'remove',
  title: '',
  width: 48,
  align: 'end',
  text: () => '',
  render: (row) => (
    <button
      type="button"
      class="inline"
      aria-label={`Remove ${idOf(row)}`}
      title="Remove"
      onClick={() => remove(row)}
    >
      ✕
    </button>
  ),
});

/** Removes a row and reads the list anew; a refusal stays in sight until the next try. */
export const useRemoval = <Row,>(
  removeRow: (row: Row) => Promise<unknown>,
  refresh: () => Promise<void>,
) => {
  const failure = useSignal<ApiError | null>(null);
  const remove = async (row: Row): Promise<void> => {
    try {
      await removeRow(row);
      failure.value = null;
    } catch (thrown) {
      failure.value = thrown as ApiError;
    }
    await refresh();
  };
  return { failure, remove };
};
