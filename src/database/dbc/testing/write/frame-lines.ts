import type { Database, Message, Signal } from '../../../model.ts';
import { noNode, numberOf } from '../../message-id.ts';
import type { DbcSpecifics } from '../../specifics.ts';
import { type DbcNames, isFirstOfName, writtenName } from './dbc-names.ts';
import { quote } from './text.ts';

/** Returns whether the multiplexer marks cannot express the dependencies. */
const needsRanges = ({ signals }: Message): boolean => {
  const switches = new Set<string>();
  let isRanged = false;
  for (const { name, isSwitch, multiplexing } of signals) {
    if (isSwitch) switches.add(name);
    if (multiplexing === null) continue;
    switches.add(multiplexing.switch);
    const [first, second] = multiplexing.ranges;
    if (second !== undefined || first?.from !== first?.to) isRanged = true;
  }
  return isRanged || switches.size > 1;
};

const markOf = ({ isSwitch, multiplexing }: Signal): string => {
  const value = multiplexing === null ? '' : ` m${multiplexing.ranges[0]?.from ?? 0n}`;
  if (!isSwitch) return value;
  return value === '' ? ' M' : `${value}M`;
};

const limitsOf = ({ minimum, maximum }: Signal): string => {
  if (minimum === null && maximum === null) return '0|0';
  const limits = `${minimum ?? '0'}|${maximum ?? '0'}`;
  // The text 0|0 would mean no limits.
  return limits === '0|0' ? '0.0|0.0' : limits;
};

const nodeList = (nodes: readonly string[], names: DbcNames): string =>
  nodes.length === 0 ? noNode : nodes.map((node) => names.nodes.of(node)).join(',');

const signalLine = (message: Message, signal: Signal, names: DbcNames): string => {
  const order = signal.byteOrder === 'intel' ? 1 : 0;
  const sign = signal.kind === 'unsigned' ? '+' : '-';
  const place = `${signal.startBit}|${signal.length}@${order}${sign}`;
  const scale = `(${signal.factor},${signal.offset}) [${limitsOf(signal)}] ${quote(signal.unit)}`;
  const name = names.signal(message, writtenName(signal));
  return ` SG_ ${name}${markOf(signal)} : ${place} ${scale}  ${nodeList(signal.receivers, names)}`;
};

export const messageLines = (messages: readonly Message[], names: DbcNames): string[] =>
  messages.flatMap((message) => {
    const { length, senders, signals } = message;
    const sender = names.nodes.of(senders[0] ?? noNode);
    return [
      `BO_ ${numberOf(message)} ${names.messages.of(writtenName(message))}: ${length} ${senders.length === 0 ? noNode : sender}`,
      ...signals.map((signal) => signalLine(message, signal, names)),
      '',
    ];
  });

export const senderLines = (messages: readonly Message[], names: DbcNames): string[] =>
  messages
    .filter(({ senders }) => senders.length > 1)
    .map((message) => `BO_TX_BU_ ${numberOf(message)} : ${nodeList(message.senders, names)};`);

const variableTypes = { integer: 0, float: 1, string: 2, data: 0 } as const;
const accesses = { unrestricted: 0, read: 1, write: 2, read_write: 3 } as const;

export const variableLines = ({ specifics }: Database<DbcSpecifics>, names: DbcNames): string[] => {
  const { environmentVariables: all } = specifics;
  const declared = all.map((variable) => {
    const { type, minimum, maximum, unit, initial, number, access, nodes } = variable;
    const form = `${variableTypes[type]} [${minimum}|${maximum}] ${quote(unit)} ${initial} ${number}`;
    const mark = `DUMMY_NODE_VECTOR${type === 'string' ? '800' : ''}${accesses[access]}`;
    return `EV_ ${names.variables.of(variable.name)}: ${form} ${mark} ${nodeList(nodes, names)};`;
  });
  const sizes = all.flatMap(({ name, dataSize }) =>
    dataSize === null ? [] : [`ENVVAR_DATA_ ${names.variables.of(name)}: ${dataSize};`],
  );
  return [...declared, ...sizes];
};

export const valueTypeLines = (messages: readonly Message[], names: DbcNames): string[] =>
  messages.flatMap((message) =>
    message.signals
      .filter(({ kind }) => kind === 'float32' || kind === 'float64')
      .filter(isFirstOfName)
      .map(({ name, kind }) => {
        const type = kind === 'float32' ? 1 : 2;
        return `SIG_VALTYPE_ ${numberOf(message)} ${names.signal(message, name)} : ${type};`;
      }),
  );

export const groupLines = ({ specifics }: Database<DbcSpecifics>, names: DbcNames): string[] =>
  specifics.signalGroups.map(({ message, name, repetitions, signals }) => {
    const members = signals.map((signal) => names.signal(message, signal)).join(' ');
    return `SIG_GROUP_ ${numberOf(message)} ${name} ${repetitions} : ${members};`;
  });

export const rangeLines = (messages: readonly Message[], names: DbcNames): string[] =>
  messages.filter(needsRanges).flatMap((message) =>
    message.signals.filter(isFirstOfName).flatMap(({ name, multiplexing }) => {
      if (multiplexing === null) return [];
      const ranges = multiplexing.ranges.map(({ from, to }) => `${from}-${to}`).join(', ');
      const switchName = names.signal(message, multiplexing.switch);
      const signal = names.signal(message, name);
      return [`SG_MUL_VAL_ ${numberOf(message)} ${signal} ${switchName} ${ranges};`];
    }),
  );
