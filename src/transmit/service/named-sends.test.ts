import { describe, expect, it } from 'vitest';
import { DatabaseStore } from '../../database/database-store.ts';
import { network } from '../../database/ldf/testing/read-text.ts';
import { AttachedDatabase } from '../../database/service/attached-database.ts';
import { packDatabase } from '../../database/service/packed-database.ts';
import { NamedMessages } from '../../signal/service/named-messages.ts';
import type { SendRecord } from '../send-record.ts';
import { prepareSend } from './named-sends.ts';

const linNetwork = (): AttachedDatabase => {
  const store = new DatabaseStore(1, () => 0);
  store.load({ name: 'doors', file: 'doors.ldf', bytes: new TextEncoder().encode(network()) });
  return new AttachedDatabase(packDatabase('doors', store.databaseOf('doors')));
};

const doors = linNetwork();
const messages = new NamedMessages<null>({
  slotOf: async () => 0,
  attachedTo: () => [doors],
  contents: async () => doors,
});
const prepare = (more: object) =>
  prepareSend({ channel: '0', count: 1, cycle_us: 0, timeout_ms: 1, ...more }, null, messages);

const sent: SendRecord = {
  accepted: 1,
  channel: '0',
  selector_kind: 'slot',
  slot: 0,
  resolved: null,
  response: null,
};

describe('a message of a LIN network', () => {
  it('is written with its own checksum if the master publishes it', async () => {
    const prepared = await prepare({ message: 'Command', signals: { Speed: '7' } });
    expect(prepared?.request).toMatchObject({
      type: 'master-write',
      id: 1,
      data: '07FC',
      checksum: 'enhanced',
    });
    expect(prepared?.complete(sent).frame).toBe('01#07FC');
  });

  it('is read if a slave publishes it, and has the signals of the response', async () => {
    const prepared = await prepare({ message: 'Answer' });
    expect(prepared?.request).toMatchObject({ type: 'master-read', id: 2, dlc: 2 });
    expect(prepared?.request).not.toHaveProperty('data');
    const response = {
      ...{ id: 2, dlc: 2, data: 'FF2A', checksum: 0, timestamp_us: 0 },
      checksum_model: 'enhanced' as const,
    };
    expect(prepared?.complete({ ...sent, response })).toMatchObject({
      message: 'Answer',
      database: 'doors',
      data: 'FF2A',
      frame: '02#FF2A',
      signals: [{ signal: 'State', value: '42' }],
    });
    expect(prepared?.complete(sent)).not.toHaveProperty('signals');
  });

  it.each([
    [{ signals: { State: '1' } }, 'signals'],
    [{ raw: true }, 'raw'],
  ])('takes no values from the master if a slave publishes it: %j', async (more, field) => {
    await expect(prepare({ message: 'Answer', ...more })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { field, reason: 'sent_by_slave' },
    });
  });
});
