/** Tables in the order in which a project is saved. */
export const tableNames = [
  'endpoints',
  'signals',
  'codecs',
  'messages',
  'pdus',
  'modbus_resources',
  'bindings',
  'mappings',
  'tx_tasks',
  'e2e',
  'fault_rules',
  'plugins',
] as const;

export type TableName = (typeof tableNames)[number];
