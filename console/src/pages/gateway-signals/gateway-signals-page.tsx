import './gateway-signals.css';
import { useEffect } from 'preact/hooks';
import { InstanceAbsence, InstanceBar } from '../../gateway/instance-bar.tsx';
import { useInstance } from '../../gateway/use-instance.ts';
import { currentPage } from '../../state/pages.ts';
import { beat } from './page-state.ts';
import { SignalsPanel } from './signals-panel.tsx';
import { TasksPanel } from './tasks-panel.tsx';

const beatMs = 500;

/** The tasks and signals of the chosen instance, live. */
export const GatewaySignalsPage = () => {
  const instance = useInstance('gateway-signals');
  const isInFront = currentPage.value.id === 'gateway-signals';
  useEffect(() => {
    if (!isInFront) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') beat.value += 1;
    }, beatMs);
    return () => clearInterval(timer);
  }, [isInFront]);
  const isStale = instance?.state === 'stale' || instance?.state === 'gone';
  return (
    <div class="gateway-page" data-stale={isStale ? '' : undefined}>
      <InstanceBar instance={instance}>
        <a href="#signals">Plot</a>
      </InstanceBar>
      <InstanceAbsence instance={instance} />
      {instance?.status.value && (
        <div class="gateway-columns">
          <SignalsPanel key={instance.name} instance={instance} />
          <TasksPanel instance={instance} />
        </div>
      )}
    </div>
  );
};
