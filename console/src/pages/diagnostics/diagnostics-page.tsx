import './diagnostics.css';
import { useEffect } from 'preact/hooks';
import { bench, channels, openApi } from '../../state/bench.ts';
import { type Command, offerCommands } from '../../state/commands.ts';
import { goTo } from '../../state/pages.ts';
import { Segments } from '../../ui/fields.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useResource } from '../../ui/use-resource.ts';
import {
  chooseView,
  chosenEcu,
  goneEcu,
  links,
  pickEcu,
  type View,
  view,
  views,
} from './diagnostics-state.ts';
import { askToClear, DtcsView, readDtcs } from './dtcs-view.tsx';
import { EcusPanel } from './ecus-panel.tsx';
import { FlashView } from './flash-view.tsx';
import { identifiers, reader } from './identifiers.ts';
import { IdentifiersView } from './identifiers-view.tsx';
import { RequestPanel } from './request-panel.tsx';
import { ServicesView } from './services-view.tsx';
import { SimulatedPanel } from './simulated-panel.tsx';

const titles: Readonly<Record<View, string>> = {
  identifiers: 'Identifiers',
  dtcs: 'Trouble codes',
  services: 'Services',
  flash: 'Flash',
};

const contents = {
  identifiers: IdentifiersView,
  dtcs: DtcsView,
  services: ServicesView,
  flash: FlashView,
} as const;

const ofEcu = (chosen: View, run: (ecu: string) => void) => () => {
  goTo('diagnostics');
  chooseView(chosen);
  const ecu = chosenEcu.peek();
  if (ecu !== null) run(ecu);
};

const commands = (): readonly Command[] => {
  const group = 'Diagnostics';
  const name = chosenEcu.value ?? 'the ECU';
  return [
    ...views.map((each) => ({
      ...{ id: `diagnostics-${each}`, group, title: titles[each] },
      run: ofEcu(each, () => {}),
    })),
    {
      ...{ id: 'diagnostics-read', group, title: `Read all identifiers of ${name}` },
      run: ofEcu('identifiers', (ecu) => {
        void reader.read(
          ecu,
          identifiers.peek().map(({ did }) => did),
        );
      }),
    },
    {
      ...{ id: 'diagnostics-dtcs-read', group, title: `Read trouble codes of ${name}` },
      run: ofEcu('dtcs', readDtcs),
    },
    {
      ...{ id: 'diagnostics-dtcs-clear', group, title: `Clear trouble codes of ${name}…` },
      run: ofEcu('dtcs', askToClear),
    },
    ...(links.data.value?.links ?? []).map(({ ecu }) => ({
      ...{ id: `diagnostics-ecu-${ecu}`, group, title: `Select ECU ${ecu}` },
      run: () => {
        goTo('diagnostics');
        pickEcu(ecu);
      },
    })),
  ];
};

const EcuPanel = () => {
  const ecu = chosenEcu.value;
  const Content = contents[view.value];
  const gone = goneEcu.value;
  return (
    <Panel
      title={ecu ?? 'ECU'}
      testId="ecu"
      class="ecu"
      header={
        <Segments
          label="View"
          value={view.value}
          choices={views.map((value) => ({ value, label: titles[value] }))}
          onChange={chooseView}
          testId="ecu-view"
        />
      }
    >
      {ecu === null ? (
        <p class="empty">
          {gone === null ? 'Select an ECU, or open a link to one.' : `There is no ECU ${gone} now.`}
        </p>
      ) : (
        <Content key={ecu} ecu={ecu} />
      )}
    </Panel>
  );
};

export const DiagnosticsPage = () => {
  useResource(bench);
  useResource(openApi);
  useResource(channels, 'diagnostics');
  useEffect(() => offerCommands(commands), []);
  return (
    <div class="diagnostics-page">
      <div class="stack">
        <EcusPanel />
        <SimulatedPanel />
      </div>
      <div class="stack">
        <EcuPanel />
        <RequestPanel />
      </div>
    </div>
  );
};
