import { BusbarError } from '../base/errors/busbar-error.ts';
import type { WireRecord } from '../modbus/client/wire-record.ts';
import type { ModbusReading, ModbusWriting } from '../modbus/service/request-record.ts';
import type { CliContext, DaemonCommand } from './context.ts';
import { callDaemon } from './daemon-commands.ts';
import { renderTable, renderText } from './render/text.ts';
import { wireLines } from './wire-lines.ts';

type Values = ModbusReading & Partial<Pick<ModbusWriting, 'rounded'>>;

const hex = (number: number, digits: number): string =>
  `0x${number.toString(16).toUpperCase().padStart(digits, '0')}`;

/** Modbus reference of an item; its first digit is the table. */
const referenceAt = (first: string, offset: number): string => {
  const number = Number(first.slice(1)) + offset;
  return first.charAt(0) + String(number).padStart(number > 9999 ? 5 : 4, '0');
};

/** One row per value, with the address of its first item. */
const rowsOf = (
  { table, address, reference, values, registers }: Values,
  addressesInHex: boolean,
) => {
  const digits = table === 'coil' || table === 'discrete' ? 1 : 4;
  const size = registers.length / values.length;
  return values.map((value, index) => {
    const offset = index * size;
    const held = registers.slice(offset, offset + size);
    const at = address + offset;
    return {
      address: addressesInHex ? hex(at, 4) : at,
      reference: referenceAt(reference, offset),
      value,
      hex: held.map((register) => hex(register, digits)).join(' '),
    };
  });
};

const textOf = (answer: Values, addressesInHex: boolean, { palette }: CliContext): string => {
  const { network, endpoint, unit, table, type, order, attempts, rounded = [] } = answer;
  const head = {
    ...(network === null ? {} : { network }),
    endpoint,
    unit,
    table,
    type,
    ...(type === 'bool' ? {} : { order }),
    ...(attempts > 1 ? { attempts } : {}),
    ...(rounded.length > 0
      ? { rounded: rounded.map(({ given, written }) => `${given} to ${written}`) }
      : {}),
  };
  const rows = rowsOf(answer, addressesInHex);
  const lines = renderTable(rows, ['address', 'reference', 'value', 'hex'], palette);
  return `${renderText(head, palette)}${lines.join('\n')}\n`;
};

/** Reads or writes values. Prints one line per value, and the raw bytes separately. */
export const showValues: DaemonCommand = async (command, values, context) => {
  const { format, stdout, stderr } = context;
  if (format !== 'text') return callDaemon(command, values, context);
  try {
    const outcome = await callDaemon(command, values, context);
    if (!('result' in outcome)) return outcome;
    const answer = outcome.result as Values;
    stderr.write(wireLines(answer.trace ?? []));
    stdout.write(textOf(answer, values.show === 'hex', context));
    return { exitCode: 0 };
  } catch (thrown) {
    const { trace } = BusbarError.from(thrown).details;
    if (Array.isArray(trace)) stderr.write(wireLines(trace as WireRecord[]));
    throw thrown;
  }
};
