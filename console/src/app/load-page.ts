import type { ComponentType } from 'preact';
import type { PageId } from '../state/pages.ts';

const loaders: Readonly<Record<PageId, () => Promise<ComponentType>>> = {
  overview: async () => (await import('../pages/overview/overview-page.tsx')).OverviewPage,
  trace: async () => (await import('../pages/trace/trace-page.tsx')).TracePage,
  signals: async () => (await import('../pages/signals/signals-page.tsx')).SignalsPage,
  send: async () => (await import('../pages/send/send-page.tsx')).SendPage,
  files: async () => (await import('../pages/files/files-page.tsx')).FilesPage,
  instances: async () => (await import('../pages/instances/instances-page.tsx')).InstancesPage,
  flow: async () => (await import('../pages/flow/flow-page.tsx')).FlowPage,
  'gateway-signals': async () =>
    (await import('../pages/gateway-signals/gateway-signals-page.tsx')).GatewaySignalsPage,
  faults: async () => (await import('../pages/faults/faults-page.tsx')).FaultsPage,
  channels: async () => (await import('../pages/channels/channels-page.tsx')).ChannelsPage,
  modbus: async () => (await import('../pages/modbus/modbus-page.tsx')).ModbusPage,
  api: async () => (await import('../pages/api/api-page.tsx')).ApiPage,
};

export const loadPage = (id: PageId): Promise<ComponentType> => loaders[id]();
