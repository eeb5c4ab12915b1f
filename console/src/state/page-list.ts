export const pageGroups = ['Bench', 'Gateway', 'Service'] as const;

interface Page {
  readonly id: string;
  readonly title: string;
  readonly group: (typeof pageGroups)[number];
  readonly key: string;
}

export const pages = [
  { id: 'overview', title: 'Overview', group: 'Bench', key: '1' },
  { id: 'trace', title: 'Trace', group: 'Bench', key: '2' },
  { id: 'signals', title: 'Signals', group: 'Bench', key: '3' },
  { id: 'send', title: 'Send', group: 'Bench', key: '4' },
  { id: 'files', title: 'Files', group: 'Bench', key: '5' },
  { id: 'recorders', title: 'Recorders', group: 'Bench', key: 'O' },
  { id: 'checks', title: 'Checks', group: 'Bench', key: 'K' },
  { id: 'channels', title: 'Channels', group: 'Bench', key: 'C' },
  { id: 'modbus', title: 'Modbus', group: 'Bench', key: 'M' },
  { id: 'diagnostics', title: 'Diagnostics', group: 'Bench', key: 'U' },
  { id: 'layout', title: 'Layout', group: 'Bench', key: 'L' },
  { id: 'instances', title: 'Instances', group: 'Gateway', key: '7' },
  { id: 'editor', title: 'Editor', group: 'Gateway', key: 'P' },
  { id: 'flow', title: 'Flow', group: 'Gateway', key: '0' },
  { id: 'gateway-signals', title: 'Tasks & signals', group: 'Gateway', key: '8' },
  { id: 'faults', title: 'Faults', group: 'Gateway', key: '9' },
  { id: 'api', title: 'API', group: 'Service', key: '6' },
] as const satisfies readonly Page[];
export type PageId = (typeof pages)[number]['id'];
