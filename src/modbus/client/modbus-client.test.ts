import { describe, expect, it } from 'vitest';
import { masksOf } from './bit-change.ts';
import { ModbusClient } from './modbus-client.ts';
import { ClientRig } from './testing/client-rig.ts';
import { identify, maskWrite, readWrite } from './testing/rare-functions.ts';

const written = (pdu: string): string => pdu.slice(0, 10);

describe('reading', () => {
  it('gives registers', async () => {
    const rig = new ClientRig(['030412340005']);
    expect(await rig.done(rig.client.read('holding', 10, 2))).toEqual(Uint16Array.of(0x1234, 5));
    expect(rig.asked).toEqual(['03000a0002']);
  });

  it.each([
    ['coil', '01'],
    ['discrete', '02'],
  ] as const)('gives bits of the %s table as 0 and 1', async (table, code) => {
    const rig = new ClientRig([`${code}020503`]);
    const bits = await rig.done(rig.client.read(table, 0, 10));
    expect([...bits]).toEqual([1, 0, 1, 0, 0, 0, 0, 0, 1, 1]);
  });

  it('refuses more than one request can carry', async () => {
    const rig = new ClientRig();
    await expect(rig.client.read('holding', 0, 126)).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { field: 'count' },
    });
    expect(rig.transport.links).toEqual([]);
  });
});

describe('writing', () => {
  it.each([
    ['holding', [7], {}, '0600050007'],
    ['holding', [7], { asMultiple: true }, '1000050001020007'],
    ['holding', [7, 8], {}, '10000500020400070008'],
    ['coil', [1], {}, '050005ff00'],
    ['coil', [0], {}, '0500050000'],
    ['coil', [1], { asMultiple: true }, '0f000500010101'],
    ['coil', [1, 0, 1], {}, '0f000500030105'],
  ] as const)('writes %s %j %j as it should go out', async (table, items, options, pdu) => {
    const rig = new ClientRig(written);
    const sent = pdu === '1000050001020007' ? '1000050001020007' : pdu;
    await rig.done(rig.client.write(table, 5, Uint16Array.from(items), options));
    expect(rig.asked).toEqual([sent]);
  });

  it.each([
    ['input', [1], 'table'],
    ['discrete', [1], 'table'],
    ['coil', [2], 'value'],
    ['holding', [], 'count'],
  ] as const)('refuses to write %s %j and names %s', async (table, items, field) => {
    const rig = new ClientRig();
    await expect(rig.client.write(table, 0, Uint16Array.from(items))).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { field },
    });
    expect(rig.transport.links).toEqual([]);
  });

  it('masks a register in the device', async () => {
    const rig = new ClientRig((pdu) => pdu);
    await rig.done(maskWrite(rig.client, 4, { andMask: 0xf2, orMask: 0x25 }));
    expect(rig.asked).toEqual(['16000400f20025']);
  });

  it('writes and reads in one request', async () => {
    const rig = new ClientRig(['17040102fffe']);
    const read = readWrite(rig.client, 3, 2, 14, Uint16Array.of(0xff));
    expect(await rig.done(read)).toEqual(Uint16Array.of(0x0102, 0xfffe));
    expect(rig.asked).toEqual(['1700030002000e00010200ff']);
  });
});

describe('changing bits', () => {
  const register = (value: string) => (pdu: string) =>
    pdu.startsWith('03') ? `0302${value}` : pdu;

  it('reads the register and writes it back with the bits changed', async () => {
    const rig = new ClientRig(register('0012'));
    const change = rig.client.changeBits(4, { andMask: 0xf2, orMask: 0x25 });
    expect(await rig.done(change)).toEqual({ before: 0x12, after: 0x17 });
    expect(rig.asked).toEqual(['0300040001', '0600040017']);
  });

  it('writes the register back with the function for several where the device knows no other', async () => {
    const rig = new ClientRig((pdu) => (pdu.startsWith('03') ? '03020012' : written(pdu)));
    const masks = { andMask: 0xf2, orMask: 0x25 };
    const change = rig.client.changeBits(4, masks, { asMultiple: true });
    expect(await rig.done(change)).toEqual({ before: 0x12, after: 0x17 });
    expect(rig.asked).toEqual(['0300040001', '1000040001020017']);
  });

  it('knows masks for single bits', async () => {
    expect(masksOf({ 0: true, 15: false })).toEqual({ andMask: 0x7ffe, orMask: 1 });
    const rig = new ClientRig(register('8000'));
    const change = rig.client.changeBits(0, masksOf({ 0: true, 3: true, 15: false }));
    expect(await rig.done(change)).toEqual({ before: 0x8000, after: 0x0009 });
    expect(() => masksOf({ 16: true })).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ field: 'bit' }) }),
    );
  });

  it('lets no other request in between', async () => {
    const rig = new ClientRig(register('0001'));
    const other = new ModbusClient(rig.session, 2);
    const all = Promise.all([
      rig.client.changeBits(0, masksOf({ 1: true })),
      other.changeBits(0, masksOf({ 2: true })),
      other.read('holding', 9, 1),
    ]);
    await rig.done(all);
    expect(rig.asked).toEqual([
      '0300000001',
      '0600000003',
      '0300000001',
      '0600000005',
      '0300090001',
    ]);
  });

  it('writes nothing when the register cannot be read', async () => {
    const rig = new ClientRig(['8304']);
    const change = rig.client.changeBits(0, masksOf({ 1: true }));
    await expect(rig.done(change)).rejects.toMatchObject({ code: 'modbus_exception' });
    expect(rig.asked).toHaveLength(1);
  });

  it('refuses masks that no register has, before anything is read', async () => {
    const rig = new ClientRig();
    await expect(rig.client.changeBits(0, { andMask: 0x10000, orMask: 0 })).rejects.toMatchObject({
      details: { field: 'and_mask' },
    });
    expect(rig.transport.links).toEqual([]);
  });
});

describe('identifying', () => {
  it('asks on until the device has told everything', async () => {
    const rig = new ClientRig(['2b0e0181ff01010003414243', '2b0e018100000101024445']);
    expect(await rig.done(identify(rig.client))).toEqual({
      conformity: 0x81,
      objects: [
        { id: 0, value: Uint8Array.from(Buffer.from('ABC')) },
        { id: 1, value: Uint8Array.from(Buffer.from('DE')) },
      ],
    });
    expect(rig.asked).toEqual(['2b0e0100', '2b0e0101']);
  });

  it.each([
    ['leads on to the same', '2b0e0181ff01010003414243'],
    ['says that this was all', '2b0e01810000010003414243'],
  ])('takes no part for the whole when the device begins anew and %s', async (_, again) => {
    const rig = new ClientRig(['2b0e0181ff01010003414243', again]);
    await expect(rig.done(identify(rig.client))).rejects.toMatchObject({
      code: 'modbus_bad_reply',
      details: { wrong: 'objects', unit: 1 },
    });
    expect(rig.asked).toEqual(['2b0e0100', '2b0e0101']);
  });
});

describe('a call', () => {
  it('gives up when its signal says so, before and while it is under way', async () => {
    const rig = new ClientRig();
    const gone = AbortSignal.abort();
    const cancelled = { code: 'operation_cancelled' };
    await expect(rig.client.read('coil', 0, 1, { signal: gone })).rejects.toMatchObject(cancelled);
    expect(rig.transport.links).toEqual([]);
    const control = new AbortController();
    const read = rig.client.read('coil', 0, 1, { signal: control.signal });
    rig.advanceMs(5);
    control.abort();
    await expect(read).rejects.toMatchObject(cancelled);
    expect(rig.session.isIdle).toBe(true);
  });

  it('uses its own time-out, else that of the client', async () => {
    const rig = new ClientRig();
    const patient = new ModbusClient(rig.session, 1, 3000);
    await expect(rig.done(patient.read('coil', 0, 1, { timeoutMs: 50 }))).rejects.toMatchObject({
      details: { timeout_ms: 50 },
    });
    await expect(rig.done(patient.read('coil', 0, 1))).rejects.toMatchObject({
      code: 'modbus_timeout',
      details: { timeout_ms: 3000 },
    });
  });

  it.each([0, -1, Number.NaN])('refuses the time-out %s', async (timeoutMs) => {
    const rig = new ClientRig();
    await expect(rig.client.read('coil', 0, 1, { timeoutMs })).rejects.toMatchObject({
      details: { field: 'timeout_ms' },
    });
  });

  it('refuses a unit that cannot be there', async () => {
    const rig = new ClientRig();
    const beyondRange = new ModbusClient(rig.session, 256);
    await expect(beyondRange.read('coil', 0, 1)).rejects.toMatchObject({
      details: { field: 'unit' },
    });
  });
});
