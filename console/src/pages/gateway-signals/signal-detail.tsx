import type { GatewaySignal } from '../../api/schema.ts';
import { formatInstant } from '../../format/figures.ts';
import type { FollowedInstance } from '../../gateway/followed-instance.ts';
import { QualityMark, valueText } from '../../gateway/quality-mark.tsx';
import { pickedSignal } from './page-state.ts';
import { SetControl } from './set-control.tsx';

const Bindings = ({ bindings }: GatewaySignal) => (
  <table class="bindings" data-testid="signal-bindings">
    <thead>
      <tr>
        <th>Binding</th>
        <th class="number">Raw</th>
        <th>On the wire</th>
      </tr>
    </thead>
    <tbody>
      {bindings.map(({ id, raw, valid, error }) => (
        <tr key={id}>
          <td title={id}>{id}</td>
          <td class="number mono">{raw}</td>
          <td>
            {error ? (
              <span data-tone="bad" title={error.message}>
                <span aria-hidden="true">▲</span> {error.message} ({error.code})
              </span>
            ) : valid ? (
              'as it is'
            ) : (
              'as invalid'
            )}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const flowPlace = (instance: string, signal: string): string =>
  `#flow?${new URLSearchParams({ instance, node: `signal:${signal}` })}`;

interface SignalDetailProps {
  readonly instance: FollowedInstance;
  readonly entry: GatewaySignal;
}

/** All that is known of one signal: why it is what it is, what is sent of it, and how it is set. */
export const SignalDetail = ({ instance, entry }: SignalDetailProps) => {
  const observedUs = instance.signals.observedUsAt(instance.signals.rowOf(entry.id));
  const isSettable = entry.producer === 'software' && instance.state !== 'gone';
  return (
    <div
      class="signal-detail"
      data-testid="signal-detail"
      data-stale={instance.held === null ? undefined : ''}
    >
      <header>
        <h3>{entry.id}</h3>
        <span class="mono">{valueText(entry)}</span>
        <QualityMark quality={entry.quality} held={instance.held} />
        <span class="grow" />
        <button
          type="button"
          class="inline"
          aria-label="Close the details"
          onClick={() => {
            pickedSignal.value = null;
          }}
        >
          ✕
        </button>
      </header>
      <div class="signal-facts">
        <div>
          <p class="quiet">
            {entry.type}, {entry.producer}
            {entry.producer !== 'constant' &&
              `; observed ${observedUs === null ? 'never' : formatInstant(observedUs)}`}{' '}
            <a href={flowPlace(instance.name, entry.id)} data-testid="signal-flow">
              Show its flow
            </a>
          </p>
          {entry.error && (
            <p data-tone="bad" data-testid="signal-error">
              <span aria-hidden="true">▲</span> {entry.error.message}.{' '}
              <a href={flowPlace(instance.name, entry.id)}>See where that comes from</a>
            </p>
          )}
          {isSettable && (
            <SetControl
              key={instance.generation.value}
              instance={instance}
              entry={entry}
              canSend={instance.state === 'live'}
            />
          )}
        </div>
        {entry.bindings.length > 0 ? (
          <Bindings {...entry} />
        ) : (
          <p class="quiet">Nothing is sent of it by itself.</p>
        )}
      </div>
    </div>
  );
};
