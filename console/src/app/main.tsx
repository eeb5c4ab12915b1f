import '../styles/tokens.css';
import '../styles/elements.css';
import '../styles/layout.css';
import '../styles/tables.css';
import '../styles/forms.css';
import '../state/theme.ts';
import { type ComponentType, Fragment, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { longRequests } from '../api/client.ts';
import { FaultBanner } from '../gateway/fault-banner.tsx';
import { followState } from '../live/state-report.ts';
import { apiCommands } from '../pages/api/api-commands.ts';
import { openApi, refreshAll } from '../state/bench.ts';
import { isHelpOpen, offerCommands } from '../state/commands.ts';
import { isServed, watchConnection } from '../state/connection.ts';
import { watchInstances } from '../state/gateways.ts';
import { currentPage, goTo, type PageId, pages } from '../state/pages.ts';
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
  instances: async () => (await import('../pages/instances/instances-page.tsx')).InstancesPage,
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

const loadPage = (id: PageId): Promise<ComponentType> => loaders[id]();

const shellCommands = () => [
  ...pages.map(({ id, title, key }) => ({
    id: `page-${id}`,
    group: 'Go to',
    title,
    keys: `Alt ${key}`,
    run: () => goTo(id),
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
  if (page) goTo(page.id);
  else if (event.key.toLowerCase() === 'r') void refreshAll();
  else return;
  event.preventDefault();
};

/** A button instead of a link, because the URL fragment selects the page. */
const skip = (): void => document.getElementById('content')?.focus();

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
  const [missing, setMissing] = useState<string | null>(null);
  const [opened, setOpened] = useState<ReadonlyMap<string, ComponentType>>(new Map());

  useResource(openApi);
  useEffect(() => offerCommands(shellCommands), []);
  useEffect(() => offerCommands(apiCommands), []);
  useEffect(() => {
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
  useEffect(() => {
    document.title = `${current.title} – Busbar`;
    if (opened.has(current.id)) return;
    const open = (component: ComponentType): void => {
      setMissing(null);
      setOpened((known) => new Map(known).set(current.id, component));
    };
    void loadPage(current.id).then(open, () => setMissing(current.title));
  }, [current, opened, isServed.value]);
  // The other pages are loaded in advance, so that they open while the service is unreachable.
  useEffect(() => {
    if (opened.size === 1) void Promise.allSettled(pages.map(({ id }) => loadPage(id)));
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
        {missing !== null && !opened.has(current.id) && <MissingPage title={missing} />}
        {[...opened].map(([id, Page]) => (
          <div key={id} class="page" data-page={id} hidden={id !== current.id}>
            <Page />
          </div>
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
render(<App />, document.body);
