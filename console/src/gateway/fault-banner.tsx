import './gateway.css';
import { counted } from '../format/figures.ts';
import { faultyInstances, gateways } from '../state/gateways.ts';
import { freshness } from '../ui/use-resource.ts';

export const FaultBanner = () => {
  const faulty = faultyInstances.value;
  return (
    <div role="alert" class="fault-alert">
      {faulty.length > 0 && (
        <div class="fault-banner" data-testid="fault-banner">
          <strong>
            <span aria-hidden="true">▲</span> Fault injection is on
          </strong>
          {faulty.map(({ instance, enabled_faults, state }) => (
            <span key={instance}>
              {counted(enabled_faults, 'fault rule')} in{' '}
              <a href={`#faults?instance=${encodeURIComponent(instance)}`}>{instance}</a>
              {state !== 'running' && <span class="quiet"> ({state})</span>}
            </span>
          ))}
          <span class="quiet">
            {freshness(gateways).staleSince
              ? 'Status at the last answer of the service.'
              : 'Frames are being corrupted on purpose.'}
          </span>
        </div>
      )}
    </div>
  );
};
