import { computed, effect } from '@preact/signals';
import type { Dashboard } from '../../api/schema.ts';
import { noChoice, type PlanOrigin, type SignalChoice } from '../../samples/signal-choices.ts';
import { seedChoices, watched } from '../../samples/signals-state.ts';
import { bench } from '../../state/bench.ts';

export type Tile = NonNullable<Dashboard['tiles']>[number];

/** Samples to keep of a message that nothing decodes yet. */
const history = 4096;

/** What the bench says is to be shown first; null where it says nothing, or is not known yet. */
export const dashboard = computed(() => bench.data.value?.dashboard ?? null);

export const originOf = ({
  channel,
  database,
  message,
}: Pick<Tile, 'channel' | 'database' | 'message'>): PlanOrigin => ({
  // The name of a channel is no port: only the plan tells that.
  ...{ channel, selector: channel, database, message, history },
});

/** A tile's signals, as the samples know them. */
export const choicesOf = (tile: Tile): readonly SignalChoice[] =>
  tile.signals.map((signal) => ({ ...noChoice, ...originOf(tile), signal }));

effect(() => {
  watched.value = (dashboard.value?.tiles ?? []).flatMap(choicesOf);
  const plot = dashboard.value?.plot ?? [];
  seedChoices(plot.map((each) => ({ ...originOf(each), signal: each.signal })));
});
