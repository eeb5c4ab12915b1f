import '../styles/tokens.css';
import '../styles/elements.css';
import '../styles/layout.css';
import '../styles/tables.css';
import '../styles/forms.css';
import '../state/theme.ts';
import { type ComponentChildren, type ComponentType, Fragment, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { longRequests } from '../api/client.ts';
import { FaultBanner } from '../gateway/fault-banner.tsx';
import { followState } from '../live/state-report.ts';
import { apiCommands } from '../pages/api/api-commands.ts';
import { openApi, refreshAll } from '../state/bench.ts';
import { isHelpOpen, offerCommands } from '../state/commands.ts';
import { isServed, watchConnection } from '../state/connection.ts';
import { watchInstances } from '../state/gateways.ts';
import {
  currentPage,
  isShown,
  openPage,
  type PageId,
  pages,
  rectOf,
  shownPages,
} from '../state/pages.ts';
import { hurryOnInput } from '../state/pictures.ts';
import { theme, themes } from '../state/theme.ts';
import { takeSlot } from '../streams/stream-client.ts';
import { HelpDialog } from '../ui/help-dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { Palette } from '../ui/palette.tsx';
import { setting } from '../ui/set-signal.ts';
import { TokenPrompt } from '../ui/token-prompt.tsx';
import { TopBar } from '../ui/top-bar.tsx';
import { useResource } from '../ui/use-resource.ts';

const loaders: Readonly<Record<PageId, () => Promise<ComponentType>>> = {
  overview: async () => (await import('../pages/overview/overview-page.tsx')).OverviewPage,
  trace: async () => (await import('../pages/trace/trace-page.tsx')).TracePage,
  signals: async () => (await import('../pages/signals/signals-page.tsx')).SignalsPage,
  send: async () => (await import('../pages/send/send-page.tsx')).SendPage,
  files: async () => (await import('../pages/files/files-page.tsx')).FilesPage,
  recorders: async () => (await import('../pages/recorders/recorders-page.tsx')).RecordersPage,
  checks: async () => (await import('../pages/checks/checks-page.tsx')).ChecksPage,
  layout: async () => (await import('../layouts/layout-page.tsx')).LayoutPage,
  instances: async () => (await import('../pages/instances/instances-page.tsx')).InstancesPage,
  editor: async () => (await import('../pages/editor/editor-page.tsx')).EditorPage,
  flow: async () => (await import('../pages/flow/flow-page.tsx')).FlowPage,
  'gateway-signals': async () =>
    (await import('../pages/gateway-signals/gateway-signals-page.tsx')).GatewaySignalsPage,
  faults: async () => (await import('../pages/faults/faults-page.tsx')).FaultsPage,
  channels: async () => (await import('../pages/channels/channels-page.tsx')).ChannelsPage,
  modbus: async () => (await import('../pages/modbus/modbus-page.tsx')).ModbusPage,
  diagnostics: async () =>
    (await import('../pages/diagnostics/diagnostics-page.tsx')).DiagnosticsPage,
  api: async () => (await import('../pages/api/api-page.tsx')).ApiPage,
};

/** Pages with code that others do not need. */
const onDemand: ReadonlySet<PageId> = new Set(['api', 'diagnostics', 'editor', 'layout']);

const loadPage = (id: PageId): Promise<ComponentType> => loaders[id]();

const shellCommands = () => [
  ...pages.map(({ id, title, key }) => ({
    id: `page-${id}`,
    group: 'Go to',
    title,
    keys: `Alt ${key}`,
    run: () => openPage(id),
  })),
  {
    id: 'refresh',
    group: 'Service',
    title: 'Refresh everything',
    keys: 'Alt R',
    run: () => void refreshAll(),
  },
  {
    id: 'help',
    group: 'Service',
    title: 'Keyboard help',
    keys: '?',
    run: setting(isHelpOpen, true),
  },
  ...themes.map((name) => ({
    id: `theme-${name}`,
    group: 'Theme',
    title: `${name[0]?.toUpperCase()}${name.slice(1)}`,
    run: setting(theme, name),
  })),
];

const pressed = (event: KeyboardEvent): void => {
  if (!event.altKey || event.ctrlKey || event.metaKey) return;
  // Alt and other layouts change the character of a key, so its position is compared.
  const page = pages.find(({ key }) => [`Digit${key}`, `Key${key}`].includes(event.code));
  if (page) openPage(page.id);
  else if (event.key.toLowerCase() === 'r') void refreshAll();
  else return;
  event.preventDefault();
};

/** A button instead of a link, because the URL fragment selects the page. */
const skip = (): void => document.getElementById('content')?.focus();

interface PageFrameProps {
  readonly id: PageId;
  readonly children: ComponentChildren;
}

/** Its page is not drawn again when the layout moves it. */
const PageFrame = ({ id, children }: PageFrameProps) => {
  const { size, part, ...style } = rectOf(id) ?? {};
  return (
    <div
      class="page"
      data-page={id}
      hidden={!isShown(id)}
      data-pane={size}
      data-part={part}
      style={style}
    >
      {children}
    </div>
  );
};

const MissingPage = ({ title }: { readonly title: string }) => (
  <Notice tone="bad" testId="missing-page">
    <p>Could not load the {title} page: the service is unreachable or was updated.</p>
    <p>
      <button type="button" onClick={() => location.reload()}>
        Reload console
      </button>
    </p>
  </Notice>
);

const App = () => {
  const current = currentPage.value;
  const shown = shownPages.value;
  const [missing, setMissing] = useState<PageId | null>(null);
  const [opened, setOpened] = useState<ReadonlyMap<PageId, ComponentType>>(new Map());

  useResource(openApi);
  useEffect(() => offerCommands(shellCommands), []);
  useEffect(() => offerCommands(apiCommands), []);
  useEffect(() => {
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
  useEffect(() => {
    document.title = `${current.title} – Busbar`;
    for (const { id } of pages) {
      if (opened.has(id) || !shown.includes(id)) continue;
      const open = (component: ComponentType): void => {
        setMissing(null);
        setOpened((known) => new Map(known).set(id, component));
      };
      void loadPage(id).then(open, () => setMissing(id));
    }
  }, [current, shown, opened, isServed.value]);
  // The other pages are loaded in advance, so that they open while the service is unreachable.
  useEffect(() => {
    if (opened.size !== 1) return;
    void Promise.allSettled(pages.map(({ id }) => (onDemand.has(id) ? null : loadPage(id))));
  }, [opened]);

  return (
    <Fragment>
      <button type="button" class="skip" onClick={skip}>
        Skip to content
      </button>
      <TopBar current={current.id} />
      <main id="content" tabIndex={-1}>
        <TokenPrompt />
        <FaultBanner />
        {pages.map(
          ({ id, title }) =>
            id === missing &&
            shown.includes(id) &&
            !opened.has(id) && <MissingPage key={id} title={title} />,
        )}
        {[...opened].map(([id, Page]) => (
          <PageFrame key={id} id={id}>
            <Page />
          </PageFrame>
        ))}
      </main>
      <Palette />
      <HelpDialog />
    </Fragment>
  );
};

longRequests.takeSlot = takeSlot;
watchConnection();
watchInstances();
followState();
hurryOnInput();
render(<App />, document.body);
