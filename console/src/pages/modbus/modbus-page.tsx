import './modbus.css';
import { useEffect } from 'preact/hooks';
import { useLive } from '../../live/use-live.ts';
import { bench, openApi } from '../../state/bench.ts';
import { offerCommands } from '../../state/commands.ts';
import { goTo } from '../../state/pages.ts';
import { useSettled } from '../../state/use-settled.ts';
import { useResource } from '../../ui/use-resource.ts';
import { path, report } from './modbus-state.ts';
import { RegistersPanel } from './registers-panel.tsx';
import { modes } from './request-draft.ts';
import { RequestPanel } from './request-panel.tsx';
import { chooseMode } from './request-state.ts';
import { ServersPanel } from './servers-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';

/** Avoids a new stream for each digit of an address. */
const typingMs = 250;

const titles = {
  read: 'Read registers',
  write: 'Write registers',
  scan: 'Scan for units',
} as const;

const modbusCommands = () =>
  modes.map((mode) => ({
    id: `modbus-${mode}`,
    group: 'Modbus',
    title: titles[mode],
    run: () => {
      goTo('modbus');
      chooseMode(mode);
    },
  }));

export const ModbusPage = () => {
  useResource(bench);
  useResource(openApi);
  useLive(report, 'modbus', useSettled(path.value, typingMs));
  useEffect(() => offerCommands(modbusCommands), []);
  return (
    <div class="modbus-page">
      <ServersPanel />
      <SessionsPanel />
      <RegistersPanel />
      <RequestPanel />
    </div>
  );
};
