import { hexDigits } from '../../../../src/frame/hex-bytes.ts';
import type { SignalPlan } from '../../api/client.ts';
import { formatCount } from '../../format/figures.ts';
import { originKey, type PlanOrigin } from '../../samples/signal-choices.ts';
import {
  deletePlan,
  expired,
  isRebuilding,
  knownPlans,
  rebuild,
} from '../../samples/signals-state.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { unusableWhile } from '../../ui/fields.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { Column } from '../../ui/table-columns.ts';

/** A plan that there is, or one that is remembered. */
type Row =
  | { readonly plan: SignalPlan; readonly origin: null }
  | { readonly plan: null; readonly origin: PlanOrigin };

const stateText = ({ plan }: Row): string => {
  if (!plan) return 'expired';
  return plan.channel_open ? 'active' : 'channel_closed';
};

const fieldOf = (row: Row): PlanOrigin => row.plan ?? row.origin;

const Action = ({ row }: { readonly row: Row }) =>
  row.plan ? (
    <button
      type="button"
      class="inline"
      title="Delete the plan for all clients"
      onClick={() => void deletePlan(row.plan.plan_id)}
    >
      Delete
    </button>
  ) : (
    <button
      type="button"
      class="inline"
      {...unusableWhile(isRebuilding.value)}
      onClick={() => void rebuild([row.origin])}
    >
      Rebuild
    </button>
  );

const columns: readonly Column<Row>[] = [
  {
    id: 'state',
    title: 'State',
    width: 128,
    text: stateText,
    render: (row) => <StateMark state={stateText(row)} />,
  },
  { id: 'plan', title: 'Plan', width: 120, mono: true, text: ({ plan }) => plan?.plan_id ?? '–' },
  { id: 'channel', title: 'Channel', width: 128, grows: true, text: (row) => fieldOf(row).channel },
  {
    id: 'selector',
    title: 'Selector',
    width: 104,
    spare: 1,
    mono: true,
    text: (row) => fieldOf(row).selector,
  },
  {
    id: 'database',
    title: 'Database',
    width: 96,
    grows: true,
    text: (row) => fieldOf(row).database,
  },
  { id: 'message', title: 'Message', width: 120, grows: true, text: (row) => fieldOf(row).message },
  {
    id: 'id',
    title: 'ID',
    width: 80,
    mono: true,
    text: ({ plan }) => (plan ? hexDigits(plan.id, plan.extended ? 8 : 3) : '–'),
  },
  {
    id: 'signals',
    title: 'Signals',
    width: 72,
    align: 'end',
    text: ({ plan }) => (plan ? formatCount(plan.signals.length) : '–'),
  },
  {
    id: 'frames',
    title: 'Frames',
    width: 96,
    align: 'end',
    text: ({ plan }) => (plan ? formatCount(plan.frames) : '–'),
  },
  {
    id: 'history',
    title: 'History',
    width: 72,
    align: 'end',
    text: (row) => formatCount(fieldOf(row).history),
  },
  {
    id: 'action',
    title: '',
    width: 92,
    align: 'end',
    text: () => '',
    render: (row) => <Action row={row} />,
  },
];

/** All decode plans of the service, and those that it has lost. */
export const PlansTable = () => {
  const rows: readonly Row[] = [
    ...expired.value.map((origin): Row => ({ plan: null, origin })),
    ...(knownPlans.value ?? []).map((plan): Row => ({ plan, origin: null })),
  ];
  return (
    <DataTable
      id="plans"
      label="Signal plans"
      testId="plans-table"
      columns={columns}
      rows={rows}
      keyOf={(row) => row.plan?.plan_id ?? originKey(fieldOf(row))}
      rowAttributes={(row) => ({
        'data-message': fieldOf(row).message,
        'data-state': stateText(row),
      })}
      empty={
        <p>No signal plans. Selecting a signal in the catalog creates a plan for its message.</p>
      }
    />
  );
};
