import type { Bench, Device } from '../../api/client.ts';
import { bench, channels, devices, info } from '../../state/bench.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel, ScrollArea } from '../../ui/panel.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { freshness, useResource } from '../../ui/use-resource.ts';
import { busNames } from './channel-columns.tsx';
import { Fact } from './channel-facts.tsx';
import { openPort, pick } from './channel-readings.ts';
import { networkText } from './network-text.ts';

const sources: Readonly<Record<Bench['source'], string>> = {
  project: 'of the project',
  global: 'of the user',
  'built-in': 'built in',
};

const Networks = ({ networks }: Pick<Bench, 'networks'>) => {
  const entries = Object.entries(networks);
  if (entries.length === 0) return <p class="quiet">It names no networks.</p>;
  return (
    <table data-testid="networks">
      <thead>
        <tr>
          <th scope="col">Network</th>
          <th scope="col">Bound to</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(([name, network]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              {networkText(network) === '' ? (
                <StateMark state="off" label="not bound" />
              ) : (
                <code>{networkText(network)}</code>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const PortRow = ({ port }: { readonly port: Device['ports'][number] }) => {
  const open = channels.data.value?.channels.find(({ selector }) => selector === port.selector);
  return (
    <tr data-port={port.selector}>
      <th scope="row">
        <code>{port.selector}</code>
      </th>
      <td>{port.name}</td>
      <td>{port.buses.map((bus) => busNames[bus]).join(', ')}</td>
      <td class="wrap">
        {open ? (
          <button type="button" class="link" onClick={() => pick(port.selector)}>
            {open.name ?? `slot ${open.slot}`}
          </button>
        ) : (
          <button type="button" class="link" onClick={() => openPort(port.selector)}>
            Open…
          </button>
        )}
      </td>
    </tr>
  );
};

const DeviceEntry = ({ device }: { readonly device: Device }) => (
  <section data-testid="device" data-device={device.sn}>
    <h3>
      {device.name} <StateMark state={device.state} />
    </h3>
    <dl>
      <Fact name="Serial">
        <code>{device.sn}</code>
      </Fact>
      <Fact name="Firmware">{device.firmware_version}</Fact>
      <Fact name="UID">
        <code>{device.uid}</code>
      </Fact>
      <Fact name="Driver">{device.driver}</Fact>
    </dl>
    <table>
      <thead>
        <tr>
          <th scope="col">Port</th>
          <th scope="col">Name</th>
          <th scope="col">Buses</th>
          <th scope="col">Channel</th>
        </tr>
      </thead>
      <tbody>
        {device.ports.map((port) => (
          <PortRow key={port.port} port={port} />
        ))}
      </tbody>
    </table>
  </section>
);

/** The bench as it is described, and the devices that are there. */
export const BenchPanel = () => {
  const { data, error } = useResource(bench);
  const found = useResource(devices, 'channels');
  useResource(info);
  const service = info.data.value?.service;
  return (
    <Panel title="Bench" testId="bench" class="bench" freshness={freshness(found)}>
      <ErrorNotice error={error.value ?? found.error.value} testId="bench-error" />
      <ScrollArea>
        {!data.value && !error.value && (
          <p class="quiet">It is shown as soon as the service answers.</p>
        )}
        {data.value && (
          <section>
            <dl>
              <Fact name="Source">{sources[data.value.source] ?? data.value.source}</Fact>
              <Fact name="Project id">{data.value.project_id ?? '–'}</Fact>
              <Fact name="File" whole>
                {data.value.path === null ? '–' : <code>{data.value.path}</code>}
              </Fact>
              <Fact name="Folder" whole>
                <code>{service?.project_root ?? '–'}</code>
              </Fact>
              {data.value.firmware_index !== null && (
                <Fact name="Firmware" whole>
                  <code>{data.value.firmware_index}</code>
                </Fact>
              )}
            </dl>
            <Networks networks={data.value.networks} />
          </section>
        )}
        {found.data.value?.devices.map((device) => (
          <DeviceEntry key={device.sn} device={device} />
        ))}
        {found.data.value?.devices.length === 0 && (
          <p class="empty">
            No device was found. Plug one in, or name it in <code>busbar.bench.json</code>.
          </p>
        )}
      </ScrollArea>
    </Panel>
  );
};
