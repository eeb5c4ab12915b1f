import { hexDigits } from '../../../../src/frame/hex-bytes.ts';
import type { SignalPlan } from '../../api/client.ts';
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
import { states } from '../../ui/state-mark.tsx';
import { type Column, column, numbers } from '../../ui/table-columns.ts';

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
  states('state', 'State', 128, stateText),
  column('plan', 'Plan', 120, ({ plan }) => plan?.plan_id ?? '–', { mono: true }),
  column('channel', 'Channel', 128, (row) => fieldOf(row).channel, { grows: true }),
  column('selector', 'Selector', 104, (row) => fieldOf(row).selector, { spare: 1, mono: true }),
  column('database', 'Database', 96, (row) => fieldOf(row).database, { grows: true }),
  column('message', 'Message', 120, (row) => fieldOf(row).message, { grows: true }),
  column('id', 'ID', 80, ({ plan }) => (plan ? hexDigits(plan.id, plan.extended ? 8 : 3) : '–'), {
    mono: true,
  }),
  numbers('signals', 'Signals', 72, ({ plan }) => plan?.signals.length ?? '–'),
  numbers('frames', 'Frames', 96, ({ plan }) => plan?.frames ?? '–'),
  numbers('history', 'History', 72, (row) => fieldOf(row).history),
  numbers('action', '', 92, () => '', { render: (row) => <Action row={row} /> }),
];

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
