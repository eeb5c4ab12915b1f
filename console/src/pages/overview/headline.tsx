import type { Dashboard } from '../../api/schema.ts';
import { counted } from '../../format/figures.ts';
import { traffic } from '../../live/traffic.ts';
import { bench, devices } from '../../state/bench.ts';
import { pages } from '../../state/pages.ts';
import { useResource } from '../../ui/use-resource.ts';
import { dashboard } from './overview-state.ts';

type Link = NonNullable<Dashboard['links']>[number];

/** Where work on any bench begins. */
const usualLinks: readonly Link[] = [
  { title: 'Open a channel', page: 'channels' },
  { title: 'See frames', page: 'trace' },
  { title: 'Load a database', page: 'files' },
  { title: 'Plot signals', page: 'signals' },
  { title: 'Send a frame', page: 'send' },
];

/** Other versions of the console may have other pages. */
const isKnown = ({ page }: Link): boolean => pages.some(({ id }) => id === page.split('?', 1)[0]);

const usualText = (): string => {
  const found = devices.data.value?.devices.length;
  if (found === undefined || !traffic.value) return '';
  return `${counted(traffic.value.length, 'channel')} open, ${counted(found, 'device')} found.`;
};

/** What this is, in a sentence, and what to look at next. */
export const Headline = () => {
  useResource(bench);
  useResource(devices);
  const { title, about, links } = dashboard.value ?? {};
  return (
    <section
      class="panel headline"
      data-testid="headline"
      aria-busy={!bench.data.value || undefined}
    >
      <h2>{title ?? bench.data.value?.project_id ?? 'Bench'}</h2>
      <p>{about ?? usualText()}</p>
      <ul class="next" aria-label="Next" data-testid="overview-links">
        {(links ?? usualLinks).filter(isKnown).map((link) => (
          <li key={link.title}>
            <a href={`#${link.page}`}>{link.title}</a>
          </li>
        ))}
      </ul>
    </section>
  );
};
