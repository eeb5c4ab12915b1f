import type { Health } from '../api/client.ts';
import { counted } from '../format/figures.ts';

interface HealthProblem {
  readonly text: string;
  readonly href: string;
}

export const servicePage = '#channels';

export const channelPlace = (selector: string): string =>
  `${servicePage}?${new URLSearchParams({ channel: selector })}`;

export const instancePlace = (instance: string): string =>
  `#instances?${new URLSearchParams({ instance })}`;

export const healthProblems = ({
  status,
  daemon,
  web,
  broker,
  plugins,
}: Health): readonly HealthProblem[] => {
  if (status === 'ok') return [];
  const found: HealthProblem[] = broker.impaired.map(({ selector, state }) => ({
    text: `Channel ${selector} is ${state.replaceAll('_', ' ')}`,
    href: channelPlace(selector),
  }));
  if (plugins.unresponsive) {
    const { instance, plugin } = plugins.unresponsive;
    const text = `Plugin ${plugin} of ${instance} is not responding`;
    found.push({ text, href: instancePlace(instance) });
  }
  const ofService = (text: string): number => found.push({ text, href: servicePage });
  const threads = daemon.threads.filter(({ state }) => state !== 'running');
  for (const { name, state } of threads) ofService(`Thread ${name} is ${state}`);
  if (daemon.status !== 'ok' && threads.length === 0) ofService('The daemon is degraded');
  if (web.log_records_dropped > 0) {
    const dropped = web.log_records_dropped;
    ofService(`${counted(dropped, 'log record')} ${dropped === 1 ? 'was' : 'were'} dropped`);
  } else if (web.status !== 'ok') ofService(`The Web service is ${web.status}`);
  if (found.length === 0) ofService('A component reports an error');
  return found;
};
