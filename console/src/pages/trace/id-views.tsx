import { signal, useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { isServed } from '../../state/connection.ts';
import { useInterval } from '../../state/use-interval.ts';
import { Notice } from '../../ui/notice.tsx';
import { shownRows } from './trace-client.ts';
import { type IdView, shownId } from './trace-state.ts';

const refreshMs = 500;

const loaders: Readonly<Record<IdView, () => Promise<ComponentType>>> = {
  changes: async () => (await import('./changes-view.tsx')).ChangesView,
  statistics: async () => (await import('./statistics-view.tsx')).StatisticsView,
};

const loaded = signal<Partial<Readonly<Record<IdView, ComponentType>>>>({});

/** Loads a view when it is first shown, and refreshes its report while the page is in front. */
export const IdViews = ({ view }: { readonly view: IdView }) => {
  const ticks = useSignal(0);
  const isMissing = useSignal(false);
  const source = shownRows.value;
  useInterval('trace', ticks, refreshMs);
  useEffect(() => {
    if (loaded.peek()[view]) return;
    void loaders[view]().then(
      (component) => {
        isMissing.value = false;
        loaded.value = { ...loaded.peek(), [view]: component };
      },
      () => {
        isMissing.value = true;
      },
    );
  }, [view, isServed.value]);
  useEffect(
    () =>
      view === 'statistics'
        ? source.askReport({ type: view })
        : source.askReport({ type: view, selected: shownId.value }),
    [source, view, shownId.value, ticks.value],
  );
  const View = loaded.value[view];
  if (View) return <View />;
  return isMissing.value ? (
    <Notice tone="bad" testId="missing-view">
      <p>Could not load the view: the service is unreachable or was updated.</p>
    </Notice>
  ) : null;
};
