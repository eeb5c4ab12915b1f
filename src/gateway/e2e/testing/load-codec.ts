import { loadProject } from '../../project/load-project.ts';
import type { E2eCodec } from '../../project/tables/codecs.ts';
import type { LooseProject } from '../../project/testing/coolant-project.ts';

/** A project that sends one PDU with this many bytes, protected by a codec with these fields. */
export const protectingProject = (fields: Partial<E2eCodec>, length: number): LooseProject => ({
  format: 'gwproj',
  schema_version: 1,
  endpoints: [{ id: 'bus', kind: 'can', network: 'bus' }],
  codecs: [{ id: 'protection', kind: 'e2e', ...fields }],
  messages: [
    {
      id: 'message',
      endpoint: 'bus',
      direction: 'tx',
      can_id: 1,
      fd: true,
      length: 64,
      period_ms: 10,
    },
  ],
  pdus: [{ id: 'pdu', message: 'message', byte_offset: 0, length }],
  tx_tasks: [{ id: 'task', message: 'message' }],
  e2e: [{ id: 'protect', pdu: 'pdu', direction: 'protect', codec: 'protection' }],
});

/** Loads the codec as the gateway does; throws if the project is rejected. */
export const loadCodec = (fields: Partial<E2eCodec>, length: number): E2eCodec => {
  const text = JSON.stringify(protectingProject(fields, length));
  const [codec] = loadProject(Buffer.from(text)).codecs;
  if (codec?.kind !== 'e2e') throw new Error('The project has no such codec');
  return codec;
};
