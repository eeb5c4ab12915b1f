import './checks.css';
import { useEffect } from 'preact/hooks';
import { bench, channels, jobs, openApi } from '../../state/bench.ts';
import { type Command, offerCommands } from '../../state/commands.ts';
import { goTo, pageId, pageQuery } from '../../state/pages.ts';
import { useResource } from '../../ui/use-resource.ts';
import { ReportPanel } from './report-panel.tsx';
import { checkTrace, RunPanel } from './run-panel.tsx';

const commands = (): readonly Command[] => [
  {
    ...{ id: 'checks-run', group: 'Checks', title: 'Check a trace file' },
    run: () => {
      goTo('checks');
      // The page must be visible before its field can get the focus.
      requestAnimationFrame(() =>
        document.querySelector<HTMLElement>('[data-testid="check-trace"]')?.focus(),
      );
    },
  },
];

export const ChecksPage = () => {
  useResource(bench);
  useResource(openApi);
  useResource(channels, 'checks');
  useResource(jobs, 'checks');
  useEffect(() => offerCommands(commands), []);
  const named = pageId.value === 'checks' ? pageQuery.value.get('trace') : null;
  useEffect(() => {
    if (named !== null) checkTrace(named);
  }, [pageQuery.value]);
  return (
    <div class="checks-page">
      <RunPanel />
      <ReportPanel />
    </div>
  );
};
