import { once } from 'node:events';
import ModbusSerial, { ServerSerial, ServerTCP } from 'modbus-serial';
import { onTestFinished } from 'vitest';
import { discreteAt, inputAt, tableSize } from '../../support/modbus-rig.ts';
import { type UnitClient, UnitException } from './unit-client.ts';

type Result = { readonly data: readonly (number | boolean)[] };

const reporting = async <T>(call: Promise<T>): Promise<T> => {
  try {
    return await call;
  } catch (error) {
    const { modbusCode } = error as { modbusCode?: number };
    throw modbusCode === undefined ? error : new UnitException(modbusCode);
  }
};

const itemsOf = async (call: Promise<Result>, count: number): Promise<number[]> =>
  // Bits are padded to a whole byte.
  (await reporting(call)).data.slice(0, count).map(Number);

/** The client of modbus-serial over TCP. */
export const modbusSerialClient = async (port: number): Promise<Required<UnitClient>> => {
  const client = new ModbusSerial();
  await client.connectTCP('127.0.0.1', { port } as Parameters<typeof client.connectTCP>[1]);
  return asUnit(client);
};

/** The same on a serial port, where it does not know the length of responses to 22 and 23. */
export const modbusSerialRtuClient = async (
  path: string,
): Promise<Omit<Required<UnitClient>, 'mask' | 'readWrite'>> => {
  const client = new ModbusSerial();
  await client.connectRTUBuffered(path, { ...lineSettings });
  const { mask: _, readWrite: __, ...unit } = asUnit(client);
  return unit;
};

/** The meaning of `rtu:<device>`. */
const lineSettings = { baudRate: 19_200, parity: 'even' } as const;

/** Functions 16 and 17 have other names in it. */
const asUnit = (client: ModbusSerial): Required<UnitClient> => {
  client.setID(1);
  client.setTimeout(20_000);
  onTestFinished(() => new Promise<void>((resolve) => client.close(() => resolve())));
  return {
    read: (code, address, count) => {
      const calls = {
        1: () => client.readCoils(address, count),
        2: () => client.readDiscreteInputs(address, count),
        3: () => client.readHoldingRegisters(address, count),
        4: () => client.readInputRegisters(address, count),
      };
      return itemsOf(calls[code](), count);
    },
    write: async (code, address, items) => {
      const [first = 0] = items;
      const calls = {
        5: () => client.writeCoil(address, first === 1),
        6: () => client.writeRegister(address, first),
        15: () =>
          client.writeCoils(
            address,
            items.map((item) => item === 1),
          ),
        16: () => client.writeRegisters(address, [...items]),
      };
      await reporting<unknown>(calls[code]());
    },
    mask: async (address, andMask, orMask) => {
      await reporting(client.maskWriteRegister(address, andMask, orMask));
    },
    readWrite: (address, count, writeAddress, items) =>
      itemsOf(
        new Promise((resolve, reject) => {
          client.writeFC23(
            1,
            address,
            count,
            writeAddress,
            items.length,
            [...items],
            (error, read) => (error ? reject(error) : resolve(read)),
          );
        }),
        count,
      ),
    identify: async (code, first) => {
      const { data } = await reporting(client.readDeviceIdentification(code, first));
      return Object.fromEntries(Object.entries(data));
    },
  };
};

/** Makes the library respond that an address does not exist. */
const missing = { modbusErrorCode: 2 };

const requireItem = (address: number): void => {
  if (address >= tableSize) throw missing;
};

/** The tables that all peers serve. */
const tables = () => {
  const coils = new Uint8Array(tableSize);
  const holding = new Uint16Array(tableSize);
  const at = <T>(address: number, item: (address: number) => T): T => {
    requireItem(address);
    return item(address);
  };
  return {
    getCoil: (address: number) => at(address, () => coils[address] === 1),
    getDiscreteInput: (address: number) => at(address, () => discreteAt(address) === 1),
    getHoldingRegister: (address: number) => at(address, () => holding[address] ?? 0),
    getInputRegister: (address: number) => at(address, inputAt),
    setCoil: (address: number, on: boolean) => {
      requireItem(address);
      coils[address] = on ? 1 : 0;
    },
    setRegister: (address: number, value: number) => {
      requireItem(address);
      holding[address] = value;
    },
  };
};

/** The server of modbus-serial on a serial port. */
export const startModbusSerialRtuServer = async (path: string): Promise<void> => {
  const server = new ServerSerial(tables(), { path, ...lineSettings, unitID: 1 });
  await once(server, 'initialized');
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
};

/** The server of modbus-serial over TCP; returns its endpoint. */
export const startModbusSerialServer = async (): Promise<string> => {
  const server = new ServerTCP(tables(), { host: '127.0.0.1', port: 0, unitID: 1 });
  await once(server, 'initialized');
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  // It does not expose the listening socket.
  const { _server } = server as unknown as { _server: { address(): { port: number } } };
  return `tcp:127.0.0.1:${_server.address().port}`;
};
