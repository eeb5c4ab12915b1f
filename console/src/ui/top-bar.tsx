import { formatTime, sentence } from '../format/figures.ts';
import { info, isRefreshing, refreshAll, refreshedAt, refreshFailures } from '../state/bench.ts';
import { isHelpOpen, isPaletteOpen } from '../state/commands.ts';
import { connection, forgetToken, health } from '../state/connection.ts';
import { pageGroups, pages } from '../state/pages.ts';
import { theme, themes } from '../state/theme.ts';
import { rememberedToken } from '../storage/remembered.ts';
import { Segments, unusableWhile } from './fields.tsx';
import { healthProblems, servicePage } from './health-problems.ts';
import { setter, setting } from './set-signal.ts';
import { connectionText, StateMark } from './state-mark.tsx';
import { useResource } from './use-resource.ts';

const Refresh = () => (
  <span class="refresh">
    <button
      type="button"
      data-testid="refresh"
      aria-keyshortcuts="Alt+R"
      title="Reload all data (Alt R)"
      {...unusableWhile(isRefreshing.value)}
      onClick={() => void refreshAll()}
    >
      Refresh
    </button>
    <span class="quiet" data-testid="refreshed-at" role="status">
      {refreshedAt.value && formatTime(refreshedAt.value)}
    </span>
    {refreshFailures.value > 0 && (
      <StateMark state="degraded" label={`${refreshFailures.value} failed`} />
    )}
  </span>
);

const Navigation = ({ current }: { readonly current: string }) => (
  <nav class="views" aria-label="Pages">
    {pageGroups
      .map((group) => ({ group, members: pages.filter((page) => page.group === group) }))
      .filter(({ members }) => members.length > 0)
      .map(({ group, members }) => (
        <ul key={group} class="view-group" aria-label={group}>
          {members.map(({ id, title, key }) => (
            <li key={id}>
              <a
                href={`#${id}`}
                aria-current={id === current ? 'page' : undefined}
                title={`Alt ${key}`}
              >
                {title}
              </a>
            </li>
          ))}
        </ul>
      ))}
  </nav>
);

const Connection = () => {
  const state = connection.value;
  const [problem] = health.value ? healthProblems(health.value) : [];
  const mark = <StateMark state={state} label={connectionText(state)} testId="connection" live />;
  if (state !== 'degraded') return mark;
  return (
    <a href={problem?.href ?? servicePage} title={problem?.text} data-testid="degraded-part">
      {mark}
    </a>
  );
};

export const TopBar = ({ current }: { readonly current: string }) => {
  const { data } = useResource(info);
  return (
    <header class="bar">
      <h1>
        <img src="favicon.svg" alt="" width="16" height="16" /> Busbar
      </h1>
      <span class="version quiet" data-testid="version" title="Daemon version">
        {data.value?.version ?? '–'}
      </span>
      <Navigation current={current} />
      <span class="grow" />
      <Connection />
      <Refresh />
      {connection.value !== 'token' && rememberedToken.get() !== null && (
        <button type="button" data-testid="forget-token" onClick={forgetToken}>
          Forget token
        </button>
      )}
      <button
        type="button"
        data-testid="open-palette"
        aria-keyshortcuts="Control+K"
        onClick={setting(isPaletteOpen, true)}
      >
        Find <kbd>Ctrl K</kbd>
      </button>
      <a href="docs/" target="_blank" rel="noopener">
        Docs
      </a>
      <button
        type="button"
        data-testid="open-help"
        aria-label="Keyboard shortcuts"
        aria-keyshortcuts="?"
        title="Keyboard shortcuts (?)"
        onClick={setting(isHelpOpen, true)}
      >
        ?
      </button>
      <Segments
        label="Theme"
        value={theme.value}
        choices={themes.map((value) => ({ value, label: sentence(value) }))}
        onChange={setter(theme)}
        testId="theme-switch"
      />
    </header>
  );
};
