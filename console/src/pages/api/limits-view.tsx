import { formatBytes, formatCount } from '../../format/figures.ts';
import { capabilities } from '../../state/bench.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { freshness, useResource } from '../../ui/use-resource.ts';

const limitText = (name: string, value: number): string => {
  if (name.endsWith('_bytes')) return formatBytes(value);
  return name.endsWith('_us') ? `${formatCount(value / 1_000_000)} s` : formatCount(value);
};

const limitLabel = (name: string): string => name.replace(/_(bytes|us)$/, '').replaceAll('_', ' ');

/** What the service takes at most, and how it is protected. */
export const LimitsView = () => {
  const { data, error } = useResource(capabilities);
  const known = data.value;
  return (
    <Panel title="Capabilities" testId="capabilities" freshness={freshness(capabilities)}>
      <ErrorNotice error={error.value} />
      <ScrollArea class="limits">
        {known && (
          <>
            <h3>Limits</h3>
            <dl data-testid="limits">
              {Object.entries(known.limits).map(([name, value]) => (
                <div key={name}>
                  <dt>{limitLabel(name)}</dt>
                  <dd>{limitText(name, value)}</dd>
                </div>
              ))}
            </dl>
            <h3>Security</h3>
            <dl>
              <div>
                <dt>authentication</dt>
                <dd>
                  {known.security.authentication === 'token'
                    ? 'token required'
                    : 'open to programs on this machine'}
                </dd>
              </div>
              <div>
                <dt>encryption</dt>
                <dd>{known.security.tls ? 'TLS' : 'none; put a proxy before it'}</dd>
              </div>
              <div>
                <dt>other origins</dt>
                <dd>{known.security.cors ? 'allowed' : 'refused'}</dd>
              </div>
            </dl>
            <h3>Statuses of raw events</h3>
            <dl>
              {Object.entries(known.events.statuses).map(([name, value]) => (
                <div key={name}>
                  <dt>{limitLabel(name)}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </>
        )}
      </ScrollArea>
    </Panel>
  );
};
