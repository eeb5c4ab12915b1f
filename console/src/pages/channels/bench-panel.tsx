import type { Bench, Device } from '../../api/client.ts';
import { busNames } from '../../forms/channel-selectors.ts';
import { bench, channels, devices, info } from '../../state/bench.ts';
import { Facts } from '../../ui/facts.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel, ScrollArea } from '../../ui/panel.tsx';
import { PlainTable } from '../../ui/plain-table.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { freshness, useResource } from '../../ui/use-resource.ts';
import { openPort, pick } from './channel-readings.ts';
import { networkText } from './network-text.ts';

const sources: Readonly<Record<Bench['source'], string>> = {
  project: 'Project',
  global: 'User',
  'built-in': 'Built-in',
};

const Networks = ({ networks }: Pick<Bench, 'networks'>) => {
  const entries = Object.entries(networks).map(([name, network]) => [name, networkText(network)]);
  if (entries.length === 0) return <p class="quiet">No networks defined.</p>;
  return (
    <PlainTable
      testId="networks"
      hasRowHeads
      rows={entries}
      keyOf={([name = '']) => name}
      columns={[
        ['Network', ([name]) => name],
        [
          'Bound to',
          ([, target]) =>
            target === '' ? <StateMark state="off" label="unbound" /> : <code>{target}</code>,
        ],
      ]}
    />
  );
};

const PortLink = ({ selector }: Pick<Device['ports'][number], 'selector'>) => {
  const open = channels.data.value?.channels.find((channel) => channel.selector === selector);
  return (
    <button type="button" class="link" onClick={() => (open ? pick(selector) : openPort(selector))}>
      {open ? (open.name ?? `slot ${open.slot}`) : 'Open…'}
    </button>
  );
};

const DeviceEntry = ({ device }: { readonly device: Device }) => (
  <section data-testid="device" data-device={device.sn}>
    <h3>
      {device.name} <StateMark state={device.state} />
    </h3>
    <Facts
      of={[
        ['Serial', <code>{device.sn}</code>],
        ['Firmware', device.firmware_version],
        ['UID', <code>{device.uid}</code>],
        ['Driver', device.driver],
      ]}
    />
    <PlainTable
      hasRowHeads
      rows={device.ports}
      keyOf={({ port }) => port}
      rowAttributes={({ selector }) => ({ 'data-port': selector })}
      columns={[
        ['Port', ({ selector }) => <code>{selector}</code>],
        ['Name', ({ name }) => name],
        ['Bus types', ({ buses }) => buses.map((bus) => busNames[bus]).join(', ')],
        ['Channel', ({ selector }) => <PortLink selector={selector} />, 'wrap'],
      ]}
    />
  </section>
);

const BenchFacts = ({ of }: { readonly of: Bench }) => (
  <section>
    <Facts
      of={[
        ['Source', sources[of.source] ?? of.source],
        ['Project ID', of.project_id ?? '–'],
        ['File', of.path === null ? '–' : <code>{of.path}</code>, { whole: true }],
        ['Folder', <code>{info.data.value?.service?.project_root ?? '–'}</code>, { whole: true }],
        of.firmware_index !== null && [
          'Firmware',
          <code>{of.firmware_index}</code>,
          { whole: true },
        ],
      ]}
    />
    <Networks networks={of.networks} />
  </section>
);

export const BenchPanel = () => {
  const { data, error } = useResource(bench);
  const found = useResource(devices, 'channels');
  useResource(info);
  return (
    <Panel title="Bench" testId="bench" class="bench" freshness={freshness(found)}>
      <ErrorNotice error={error.value ?? found.error.value} testId="bench-error" />
      <ScrollArea>
        {!data.value && !error.value && <p class="quiet">Waiting for the service…</p>}
        {data.value && <BenchFacts of={data.value} />}
        {found.data.value?.devices.map((device) => (
          <DeviceEntry key={device.sn} device={device} />
        ))}
        {found.data.value?.devices.length === 0 && (
          <p class="empty">
            No devices found. Connect a device or add it to <code>busbar.bench.json</code>.
          </p>
        )}
      </ScrollArea>
    </Panel>
  );
};
