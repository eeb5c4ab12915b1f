import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { DtcReader } from './dtc-reader.ts';

const engine = { ecu: 'engine', dtc: '012345' };
const door = { ecu: 'door', dtc: 'C10055' };

const started = () => {
  const asked: string[] = [];
  const pending: { resolve: (answer: string) => void; reject: (error: Error) => void }[] = [];
  const reader = new DtcReader<string>((ecu, records) => {
    asked.push([ecu, ...Object.entries(records).flat()].join(' '));
    return new Promise((resolve, reject) => pending.push({ resolve, reject }));
  });
  const answer = async (text: string): Promise<void> => {
    pending.shift()?.resolve(text);
    await nextTurn();
  };
  const fail = async (): Promise<void> => {
    pending.shift()?.reject(new Error('no response'));
    await nextTurn();
  };
  return { reader, asked, answer, fail };
};

describe('records of trouble codes', () => {
  it('are read for the picked code', async () => {
    const { reader, asked, answer } = started();
    reader.pick(engine);
    const done = reader.readPicked();
    await answer('one');
    await answer('two');
    await done;
    expect(asked).toEqual(['engine snapshot 012345', 'engine extended 012345']);
    expect(reader.records.value).toEqual({ ...engine, snapshot: 'one', extended: 'two' });
  });

  it('are read from the ECU whose code is picked meanwhile', async () => {
    const { reader, asked, answer } = started();
    reader.pick(engine);
    const done = reader.readPicked();
    reader.pick(door);
    for (const text of ['1', '2', '3', '4']) await answer(text);
    await done;
    expect(asked.slice(2)).toEqual(['door snapshot C10055', 'door extended C10055']);
    expect(reader.records.value).toEqual({ ...door, snapshot: '3', extended: '4' });
  });

  it('are read again for the same code of another ECU', async () => {
    const { reader, asked, answer } = started();
    const same = { ...engine, ecu: 'door' };
    reader.pick(engine);
    const done = reader.readPicked();
    reader.pick(same);
    expect([reader.isPicked(engine), reader.isPicked(same)]).toEqual([false, true]);
    for (const text of ['1', '2', '3', '4']) await answer(text);
    await done;
    expect(asked.at(-1)).toBe('door extended 012345');
    expect(reader.records.value?.ecu).toBe('door');
  });

  it('are not shown for a code that is no longer picked', async () => {
    const { reader, answer } = started();
    reader.pick(engine);
    const done = reader.readPicked();
    reader.pick(engine);
    await answer('one');
    await answer('two');
    await done;
    expect(reader.isPicked(engine)).toBe(false);
    expect(reader.records.value).toBeNull();
  });

  it('fail for the code that is still picked', async () => {
    const { reader, fail } = started();
    reader.pick(engine);
    const failed = expect(reader.readPicked()).rejects.toThrow('no response');
    await fail();
    await failed;
    expect(reader.records.value).toBeNull();
  });

  it('are read for the code that is picked while the read of another one fails', async () => {
    const { reader, asked, answer, fail } = started();
    reader.pick(engine);
    const done = reader.readPicked();
    reader.pick(door);
    await fail();
    await answer('1');
    await answer('2');
    await done;
    expect(asked).toEqual([
      'engine snapshot 012345',
      'door snapshot C10055',
      'door extended C10055',
    ]);
    expect(reader.records.value).toEqual({ ...door, snapshot: '1', extended: '2' });
  });

  it('do not fail for a code that is no longer picked', async () => {
    const { reader, fail } = started();
    reader.pick(engine);
    const done = reader.readPicked();
    reader.clear();
    await fail();
    await expect(done).resolves.toBeUndefined();
  });
});
