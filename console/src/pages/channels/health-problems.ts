import type { Health } from '../../api/schema.ts';
import { counted } from '../../format/figures.ts';

/** Every part that keeps the service from being well, in words. */
export const healthProblems = ({
  status,
  daemon,
  web,
  broker,
  plugins,
}: Health): readonly string[] => {
  if (status === 'ok') return [];
  const threads = daemon.threads.filter(({ state }) => state !== 'running');
  const found = threads.map(({ name, state }) => `Thread ${name} is ${state}`);
  if (daemon.status !== 'ok' && threads.length === 0) found.push('The daemon is degraded');
  if (web.log_records_dropped > 0) {
    const dropped = web.log_records_dropped;
    found.push(`${counted(dropped, 'log record')} ${dropped === 1 ? 'was' : 'were'} dropped`);
  } else if (web.status !== 'ok') found.push(`The Web service is ${web.status}`);
  for (const { selector, state } of broker.impaired) {
    found.push(`Channel ${selector} is ${state.replaceAll('_', ' ')}`);
  }
  if (broker.status !== 'ok' && broker.impaired.length === 0) found.push('The broker is degraded');
  if (plugins.unresponsive) {
    const { instance, plugin } = plugins.unresponsive;
    found.push(`Plugin ${plugin} of ${instance} does not return`);
  }
  return found.length > 0 ? found : ['A part reports trouble'];
};
