import { describe, expect, it } from 'vitest';
import { DatabaseStore } from '../../database/database-store.ts';
import { AttachedDatabase } from '../../database/service/attached-database.ts';
import { packDatabase } from '../../database/service/packed-database.ts';
import type { J1939SendRecord } from '../../pdu/transmit/j1939-record.ts';
import { NamedMessages } from '../../signal/service/named-messages.ts';
import { prepareJ1939 } from './named-j1939.ts';

const truckFile = `VERSION ""
BU_: ECU
BO_ 2566837246 Tires: 20 ECU
 SG_ Pressure : 0|16@1+ (0.5,0) [0|1000] "kPa" ECU
 SG_ Last : 144|16@1+ (1,0) [0|64255] "" ECU
BO_ 2297374494 Order: 12 ECU
 SG_ Code : 64|32@1+ (1,0) [0|0] "" ECU
BO_ 2566837502 Huge: 1786 ECU
 SG_ First : 0|8@1+ (1,0) [0|0] "" ECU
BO_ 2566837759 Plain: 8 ECU
 SG_ Any : 0|8@1+ (1,0) [0|0] "" ECU
BA_DEF_ "ProtocolType" STRING ;
BA_DEF_ BO_ "VFrameFormat" ENUM "StandardCAN","ExtendedCAN","reserved","J1939PG";
BA_DEF_DEF_ "ProtocolType" "J1939";
BA_DEF_DEF_ "VFrameFormat" "J1939PG";
BA_ "VFrameFormat" BO_ 2566837759 1;
`;

const store = new DatabaseStore(1, () => 0);
store.load({ name: 'truck', file: 'truck.dbc', bytes: new TextEncoder().encode(truckFile) });
const truck = new AttachedDatabase(packDatabase('truck', store.databaseOf('truck')));
const messages = new NamedMessages<null>({
  slotOf: async () => 0,
  attachedTo: () => [truck],
  contents: async () => truck,
});
const prepare = (more: object) => prepareJ1939({ channel: '0', ...more }, null, messages);

describe('a J1939 message by name', () => {
  it('is encoded beyond 8 bytes, with ones where nothing is named', async () => {
    const prepared = await prepare({ message: 'Tires', signals: { Last: '258' } });
    const data = `${'FF'.repeat(18)}0201`;
    expect(prepared?.request).toEqual({
      channel: '0',
      pgn: 0xfed3,
      source: 0xfe,
      destination: 0xff,
      priority: 6,
      data,
    });
    expect(prepared?.complete({ pgn: 0xfed3 } as J1939SendRecord)).toMatchObject({
      message: 'Tires',
      database: 'truck',
      data,
      signals: [{ signal: 'Pressure' }, { signal: 'Last', value: '258' }],
    });
  });

  it('has the addresses and the priority of its file, unless the request gives others', async () => {
    const own = await prepare({ message: 'Order' });
    expect(own?.request).toMatchObject({ source: 0x1e, destination: 0x27, priority: 2 });
    const other = { source: '0x21', destination: 5, priority: 7 };
    const given = await prepare({ message: 'Order', ...other });
    expect(given?.request).toMatchObject({ pgn: 0xef00, ...other });
  });

  it.each([
    [{ message: 'Huge' }, 'message', 'too_long'],
    [{ message: 'Plain' }, 'message', 'not_j1939'],
    [{ message: 'Tires', pgn: 1 }, 'message', 'exclusive'],
    [{ message: 'Tires', data: '00' }, 'message', 'exclusive'],
    [{ message: 'Tires', signals: { Pressure: '1001' } }, 'signals.Pressure', 'out_of_range'],
    [{ signals: {} }, 'signals', 'needs_message'],
  ])('is refused as %j', async (request, field, reason) => {
    await expect(prepare(request)).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { field, reason },
    });
  });

  it('is not prepared if the request has the payload', async () => {
    expect(await prepare({ pgn: 0xfeca, source: 0, data: '00' })).toBeNull();
  });
});
