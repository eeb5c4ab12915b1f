import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { TasksPanel } from '../pages/send/tasks-panel.tsx';
import { CatalogPanel } from '../pages/signals/catalog-panel.tsx';
import { SignalsTable } from '../pages/signals/signals-table.tsx';
import { IdViews } from '../pages/trace/id-views.tsx';
import { isServed } from '../state/connection.ts';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import type { LayoutView } from './layout-schema.ts';

const pduView = signal<ComponentType | null>(null);

const Pdus = () => {
  useEffect(() => {
    if (!isServed.value || pduView.peek() !== null) return;
    void import('../pages/trace/tools/trace-tools.tsx').then(
      ({ PduView }) => {
        pduView.value = PduView;
      },
      () => {},
    );
  }, [isServed.value]);
  const View = pduView.value;
  return View ? (
    <View />
  ) : (
    <Notice>
      <p>Loading…</p>
    </Notice>
  );
};

/** Parts of pages, below the class of their page, whose styles they need. */
export const PanePart = ({ view }: { readonly view: LayoutView }) => {
  switch (view) {
    case 'values':
      return (
        <div class="pane-part signals-page">
          <Panel title="Values">
            <SignalsTable />
          </Panel>
        </div>
      );
    case 'catalog':
      return (
        <div class="pane-part signals-page">
          <CatalogPanel />
        </div>
      );
    case 'changes':
    case 'statistics':
      return (
        <div class="pane-part trace">
          <Panel title={view === 'changes' ? 'What changed' : 'Statistics by ID'} class="main">
            <IdViews view={view} />
          </Panel>
        </div>
      );
    case 'pdus':
      return (
        <div class="pane-part trace">
          <Panel title="PDUs" class="main">
            <Pdus />
          </Panel>
        </div>
      );
    case 'tasks':
      return (
        <div class="pane-part send-page">
          <div class="stack">
            <TasksPanel />
          </div>
        </div>
      );
    default:
      return null;
  }
};
