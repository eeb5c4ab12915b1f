import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { DatabaseName } from '../database-name.ts';
import { DatabaseStore } from '../database-store.ts';
import { messageNotFound, messageOfFrame, messagesNamed } from './attached-database.ts';
import { type AttachedChannel, ChannelDatabases } from './channel-databases.ts';
import { packDatabase } from './packed-database.ts';

const engine = `BO_ 256 Engine: 8 ECU
 SG_ Speed : 0|16@1+ (0.25,0) [0|100] "rpm" ECU
 SG_ Gear : 16|3@1+ (1,0) [0|7] "" ECU
BO_ 257 Brake: 8 ECU
 SG_ Pressure : 0|8@1+ (1,0) [0|255] "bar" ECU
VAL_ 256 Gear 0 "park" 1 "drive" ;
`;
const truck = `BO_ 2566844926 Cruise: 8 ECU
 SG_ Torque : 0|8@1+ (1,0) [0|255] "" ECU
BO_ 256 Other: 8 ECU
 SG_ Speed : 8|16@1+ (1,0) [0|100] "" ECU
BA_DEF_ BO_ "VFrameFormat" ENUM "StandardCAN","ExtendedCAN","reserved","J1939PG";
BA_DEF_ "ProtocolType" STRING ;
BA_DEF_DEF_ "ProtocolType" "J1939";
BA_DEF_DEF_ "VFrameFormat" "J1939PG";
`;

const setUp = (files: Record<string, string> = { engine, truck }) => {
  const store = new DatabaseStore(64, () => 0);
  const bytesOf = (name: string) => new TextEncoder().encode(files[name] ?? '');
  for (const name of Object.keys(files)) {
    store.load({ name, file: `${name}.dbc`, bytes: bytesOf(name) });
  }
  const channels = new Map<number, readonly string[]>([[7, []]]);
  const recordOf = (slot: number): AttachedChannel => ({
    slot,
    databases: channels.get(slot) ?? [],
  });
  const packs: string[] = [];
  const pack = (name: string) => {
    packs.push(name);
    return packDatabase(name, store.databaseOf(name));
  };
  const described: DatabaseName[] = [];
  const databases = new ChannelDatabases<AttachedChannel, null>({
    source: {
      list: async () => store.list(),
      load: async ({ file, name = basename(file, '.dbc') }) => {
        if (files[file] === undefined) throw new Error(file);
        return store.load({ name, file, bytes: bytesOf(file) });
      },
      unload: async (name) => store.unload(name),
      reload: async (name, room) => ({
        summary: store.reload({ name, file: `${name}.dbc`, bytes: bytesOf(name) }, () => {}),
        packed: room === null ? null : pack(name),
      }),
      contents: async (name) => pack(name),
    },
    channels: {
      attach: async (selector, { name }) => {
        const slot = Number(selector);
        if (!channels.has(slot)) throw new BusbarError('channel_not_found');
        channels.set(slot, [...new Set([...(channels.get(slot) ?? []), name])]);
        return recordOf(slot);
      },
      detach: async (selector, name) => {
        const slot = Number(selector);
        channels.set(slot, channels.get(slot)?.filter((other) => other !== name) ?? []);
        return recordOf(slot);
      },
      describe: async (database) => {
        described.push(database);
      },
      forget: async (name) => {
        for (const [slot, names] of channels) {
          channels.set(
            slot,
            names.filter((other) => other !== name),
          );
        }
      },
    },
  });
  const names = (slot = 7) => databases.of(slot).map(({ name }) => name);
  const found = (id: number, extended = false) => {
    const match = messageOfFrame(databases.of(7), id, extended);
    return match && `${match.database.name}.${match.message.name}`;
  };
  return { databases, store, files, channels, names, found, packs, described };
};

describe('ChannelDatabases', () => {
  it('attaches files with the same name in different folders', async () => {
    const { databases, files, names, channels } = setUp();
    channels.set(8, []);
    files['left/car.dbc'] = engine;
    files['right/car.dbc'] = truck;
    const attach = (slot: number, file: string) =>
      databases.attachFiles({ slot, selector: String(slot), bus: 'can' }, [file]);
    expect((await attach(7, 'left/car.dbc')).warnings).toEqual([]);
    expect((await attach(8, 'right/car.dbc')).warnings).toEqual([]);
    expect([names(7), names(8)]).toEqual([['car'], ['right_car.dbc']]);
    await attach(7, 'right/car.dbc');
    expect(names(7)).toEqual(['right_car.dbc']);
  });

  it('finds the message of a frame in the first database that has one', async () => {
    const { databases, names, found } = setUp();
    await databases.attach('7', 'truck', null);
    await databases.attach('7', 'engine', null);
    expect(names()).toEqual(['truck', 'engine']);
    expect([found(256), found(257), found(258), found(256, true)]).toEqual([
      'truck.Other',
      'engine.Brake',
      undefined,
      undefined,
    ]);
  });

  it('keeps the order of a database that is attached again', async () => {
    const { databases, names } = setUp();
    for (const name of ['engine', 'truck', 'engine']) await databases.attach('7', name, null);
    expect(names()).toEqual(['engine', 'truck']);
  });

  it('takes a whole database before the next one, whose identifier is the exact one', async () => {
    const { databases, found } = setUp({
      truck,
      exact: `BO_ 2566844927 Own: 8 ECU\n SG_ A : 0|8@1+ (1,0) [0|0] "" ECU\n`,
    });
    await databases.attach('7', 'truck', null);
    await databases.attach('7', 'exact', null);
    // The group of the first database covers the identifier of the second.
    expect([found(0x18fef1fe, true), found(0x18fef1ff, true)]).toEqual([
      'truck.Cruise',
      'truck.Cruise',
    ]);
  });

  it('unpacks messages as the file describes them, with labels', async () => {
    const { databases, store } = setUp();
    await databases.attach('7', 'engine', null);
    const [match] = messagesNamed(databases.of(7), 'Engine');
    const { message } = store.message('engine', 'Engine');
    expect(match?.message).toEqual({ ...message, senders: ['ECU'] });
    expect(match?.message.signals[1]?.values).toContainEqual({ raw: 1n, text: 'drive' });
  });

  it('decodes with the new file after a reload, and keeps what was compiled from the old', async () => {
    const { databases, files, found, described } = setUp();
    await databases.attach('7', 'engine', null);
    const [old] = databases.of(7);
    files.engine = engine.replace('257', '300');
    await databases.reload('engine');
    expect([found(257), found(300)]).toEqual([undefined, 'engine.Brake']);
    expect(described).toEqual([{ name: 'engine', bus: 'can', lin: null }]);
    expect(old?.messageOf(257, false)).toMatchObject({ name: 'Brake' });
  });

  it('detaches a database that is unloaded, on every channel', async () => {
    const { databases, channels, names } = setUp();
    channels.set(8, []);
    for (const slot of ['7', '8']) await databases.attach(slot, 'engine', null);
    await databases.attach('8', 'truck', null);
    await databases.unload('engine');
    expect([names(7), names(8), channels.get(7)]).toEqual([[], ['truck'], []]);
    await expect(databases.attach('7', 'engine', null)).rejects.toMatchObject({
      code: 'database_not_found',
    });
  });

  it('holds a database once, and forgets it with its last channel', async () => {
    const { databases, channels, packs, names } = setUp();
    channels.set(8, []);
    for (const slot of ['7', '8']) await databases.attach(slot, 'engine', null);
    databases.closed(7);
    await databases.detach('8', 'engine', null);
    expect([names(7), names(8), packs]).toEqual([[], [], ['engine']]);
    await databases.attach('8', 'engine', null);
    expect(packs).toEqual(['engine', 'engine']);
  });

  it('holds nothing for a channel that refuses', async () => {
    const { databases, packs } = setUp();
    const refused = databases.attach('9', 'engine', null);
    await expect(refused).rejects.toMatchObject({ code: 'channel_not_found' });
    await databases.attach('7', 'engine', null);
    expect(packs).toEqual(['engine', 'engine']);
  });

  it('continues with the attachments of channels that are open', async () => {
    const { databases, names, found } = setUp();
    await databases.restore([{ slot: 7, databases: ['truck', 'gone', 'engine'] }]);
    expect([names(), found(257)]).toEqual([['truck', 'engine'], 'engine.Brake']);
  });

  it('suggests the nearest message of all databases', async () => {
    const { databases } = setUp();
    const refusal = () => messageNotFound(databases.of(7), 'Brakes', 'powertrain');
    expect(refusal().hint).toContain('database attach');
    await databases.attach('7', 'engine', null);
    expect(refusal().toRecord()).toMatchObject({
      code: 'message_not_found',
      details: { field: 'message', databases: ['engine'], nearest: 'Brake' },
    });
  });
});
