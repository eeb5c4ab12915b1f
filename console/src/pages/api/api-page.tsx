import './api.css';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { offerCommands } from '../../state/commands.ts';
import { currentPage } from '../../state/pages.ts';
import { goTo, pageQuery } from '../../state/route.ts';
import { CallView } from './call-view.tsx';
import { LimitsView } from './limits-view.tsx';
import { MetricsView } from './metrics-view.tsx';
import { OperationsView } from './operations-view.tsx';
import { SaveLinks } from './save-links.tsx';

const views = [
  { id: 'call', title: 'Typed API' },
  { id: 'operations', title: 'Operations' },
  { id: 'metrics', title: 'Metrics' },
  { id: 'capabilities', title: 'Capabilities' },
] as const;
type ViewId = (typeof views)[number]['id'];

const viewCommands = () =>
  views.map(({ id, title }) => ({
    id: `api-${id}`,
    group: 'API',
    title,
    run: () => goTo('api', { view: id }),
  }));

/** Everything that the service offers to programs, to look up and to try. */
export const ApiPage = () => {
  const view = useSignal<ViewId>('call');
  const wanted = useSignal<string | null>(null);
  const isInFront = currentPage.value.id === 'api';
  useEffect(() => offerCommands(viewCommands), []);
  // The address belongs to the page in front: what it said last stays while that is another one.
  useEffect(() => {
    if (!isInFront) return;
    const operation = pageQuery.value.get('operation');
    const named = views.find(({ id }) => id === pageQuery.value.get('view'));
    if (operation !== null) wanted.value = operation;
    view.value = operation === null && named ? named.id : 'call';
  }, [isInFront, pageQuery.value]);
  return (
    <div class="api">
      <div class="views-bar">
        <nav class="views" aria-label="Parts of the API page">
          {views.map(({ id, title }) => (
            <a
              key={id}
              href={`#api?view=${id}`}
              aria-current={id === view.value ? 'page' : undefined}
            >
              {title}
            </a>
          ))}
        </nav>
        <span class="grow" />
        <SaveLinks />
      </div>
      {view.value === 'call' && <CallView wanted={wanted.value} />}
      {view.value === 'operations' && <OperationsView />}
      {view.value === 'metrics' && <MetricsView isInFront={isInFront} />}
      {view.value === 'capabilities' && <LimitsView />}
    </div>
  );
};
