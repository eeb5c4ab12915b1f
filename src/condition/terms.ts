import { parseDuration } from '../base/clock/duration.ts';
import { parseDecimal } from '../base/decimal/decimal.ts';
import { maxPgn } from '../database/j1939.ts';
import { idPatternForm, readIdPattern } from '../frame/id-pattern.ts';
import { type PduProtocol, type PduStatus, pduProtocols, pduStatuses } from '../pdu/pdu.ts';
import {
  type ComparedValue,
  type Comparison,
  type ConditionKind,
  comparisons,
  type Duration,
  type SignalName,
  type Term,
  type WrittenPattern,
} from './condition.ts';
import type { Scanner } from './scanner.ts';

/** 24 hours. */
export const maxDurationNs = 24 * 3600e9;

export const readDuration = (scanner: Scanner): Duration => {
  const { kind, text } = scanner.token;
  const ns = kind === 'word' ? parseDuration(text) : null;
  if (ns === null) return scanner.fail('a duration such as 100ms');
  if (ns <= 0 || ns > maxDurationNs) return scanner.fail('a duration above 0 and up to 24h');
  scanner.take();
  return { text, ns };
};

const readPattern = (scanner: Scanner): WrittenPattern => {
  const { kind, text } = scanner.token;
  if (kind !== 'word') return scanner.fail(`an identifier: ${idPatternForm}`);
  const pattern = readIdPattern(text);
  if ('reason' in pattern) return scanner.fail(`an identifier: ${idPatternForm}`);
  scanner.take();
  return { text, pattern };
};

const hexPattern = /^(?:[0-9A-Fa-f?]{2})+$/;

const readData = (scanner: Scanner): string => {
  const { kind, text } = scanner.token;
  if (kind !== 'word' || !hexPattern.test(text)) {
    return scanner.fail('bytes in hex such as 22F1??, where ? is any digit');
  }
  scanner.take();
  return text.toUpperCase();
};

export const readName = (scanner: Scanner): SignalName => {
  const { kind, text, at } = scanner.token;
  const dot = text.indexOf('.');
  if ((kind !== 'word' && kind !== 'text') || dot < 1 || dot === text.length - 1) {
    return scanner.fail('a signal as Message.Signal');
  }
  scanner.take();
  return { message: text.slice(0, dot), signal: text.slice(dot + 1), at };
};

const readComparison = (scanner: Scanner): Comparison => {
  const { kind, text } = scanner.token;
  if (kind !== 'comparison') return scanner.fail(`one of ${comparisons.join(' ')}`);
  scanner.take();
  return text === '==' ? '=' : (text as Comparison);
};

const readValue = (scanner: Scanner): ComparedValue => {
  const { kind, text, at } = scanner.token;
  if (kind !== 'word' && kind !== 'text') return scanner.fail('a number or a label');
  scanner.take();
  return { text, at, isLabel: kind === 'text' || parseDecimal(text) === null };
};

const readE2eName = (scanner: Scanner): { instance: string; message: string; nameAt: number } => {
  const { kind, text, at } = scanner.token;
  const slash = text.indexOf('/');
  if ((kind !== 'word' && kind !== 'text') || slash < 1 || slash === text.length - 1) {
    return scanner.fail('a message of a gateway as instance/message');
  }
  scanner.take();
  return { instance: text.slice(0, slash), message: text.slice(slash + 1), nameAt: at };
};

const readOneOf = <Word extends string>(scanner: Scanner, words: readonly Word[]): Word => {
  const { kind, text } = scanner.token;
  const found = words.find((one) => one === text);
  if (kind !== 'word' || found === undefined) return scanner.fail(`one of ${words.join(', ')}`);
  scanner.take();
  return found;
};

const pgnText = /^(?:0[xX][0-9A-Fa-f]{1,5}|[0-9]{1,6})$/;

const readPgn = (scanner: Scanner): number => {
  const { kind, text } = scanner.token;
  const pgn = kind === 'word' && pgnText.test(text) ? Number(text) : Number.NaN;
  if (!(pgn <= maxPgn)) return scanner.fail('a parameter group: decimal, or hex with 0x');
  scanner.take();
  return pgn;
};

const nrcText = /^(?:0[xX])?[0-9A-Fa-f]{1,2}$/;

const readNrc = (scanner: Scanner): number => {
  const { kind, text } = scanner.token;
  if (kind !== 'word' || !nrcText.test(text)) {
    return scanner.fail('a negative response code in hex such as 22');
  }
  scanner.take();
  return Number.parseInt(text.replace(/^0x/i, ''), 16);
};

const statuses = Object.keys(pduStatuses) as readonly PduStatus[];

interface PduParts {
  protocol: PduProtocol | null;
  pgn: number | null;
  id: WrittenPattern | null;
  nrc: number | null;
  status: PduStatus | null;
  data: string | null;
}

const pduOptions = {
  pgn: readPgn,
  id: readPattern,
  nrc: readNrc,
  status: (scanner: Scanner) => readOneOf(scanner, statuses),
  data: readData,
} as const;
type PduOption = keyof typeof pduOptions;
const pduWords = Object.keys(pduOptions) as readonly PduOption[];

/** Options that a protocol has; J1939 has no identifiers of requests, and the others no groups. */
const foreign: Readonly<Record<PduProtocol, readonly PduOption[]>> = {
  j1939: ['id', 'nrc'],
  isotp: ['pgn'],
  lin: ['pgn'],
};

const readPdu = (scanner: Scanner): PduParts => {
  const parts: PduParts = {
    protocol: null,
    pgn: null,
    id: null,
    nrc: null,
    status: null,
    data: null,
  };
  const protocol = pduProtocols.find((one) => scanner.isWord(one));
  if (protocol !== undefined) {
    parts.protocol = protocol;
    scanner.take();
  }
  for (;;) {
    const option = pduWords.find((one) => scanner.isWord(one));
    if (option === undefined) return parts;
    const isForeign = protocol !== undefined && foreign[protocol].includes(option);
    if (parts[option] !== null || isForeign) {
      const others = pduWords.filter(
        (one) =>
          parts[one] === null && (protocol === undefined || !foreign[protocol].includes(one)),
      );
      return scanner.fail(`the end of the term or one of ${others.join(', ')}`);
    }
    scanner.take();
    Object.assign(parts, { [option]: pduOptions[option](scanner) });
  }
};

type Parts<Of extends Term> = Omit<Of, 'op' | 'kind' | 'at' | 'on'>;

interface TermRow<Of extends Term> {
  readonly kind: ConditionKind & Of['kind'];
  /** Its form, after the word. */
  readonly form: string;
  readonly about: string;
  readonly example: string;
  readonly read: (scanner: Scanner) => Parts<Of>;
}

type Terms = { readonly [Name in Term['op']]: TermRow<Extract<Term, { op: Name }>> };

/** The terms: read by the parser, and rendered into the reference. */
export const terms: Terms = {
  frame: {
    kind: 'instant',
    form: '<id> [data <bytes>]',
    about:
      'A frame with this identifier, received or sent. Its payload begins with the bytes. Identifiers are written as in `--id`; `?` is any digit.',
    example: 'frame 18FEF100:1FFFFF00 data ??FF',
    read: (scanner) => ({
      id: readPattern(scanner),
      data: scanner.takeIf('data') ? readData(scanner) : null,
    }),
  },
  signal: {
    kind: 'state',
    form: '<Message.Signal> =|!=|<|<=|>|>= <value>',
    about:
      'The last value of the signal compares so with a number or a label. False before the first value.',
    example: 'signal Engine.EngineSpeed > 3000',
    read: (scanner) => ({
      name: readName(scanner),
      comparison: readComparison(scanner),
      value: readValue(scanner),
    }),
  },
  change: {
    kind: 'instant',
    form: '<Message.Signal>',
    about: 'The signal has another value than in the frame before. The first value is no change.',
    example: 'change Door.Open',
    read: (scanner) => ({ name: readName(scanner) }),
  },
  error: {
    kind: 'instant',
    form: '',
    about:
      'An error on the bus: a CAN error frame, or a LIN frame with an error. A report of a controller state alone is none.',
    example: 'error on powertrain',
    read: () => ({}),
  },
  bus_off: {
    kind: 'instant',
    form: '',
    about: 'A CAN controller goes bus-off.',
    example: 'bus_off',
    read: () => ({}),
  },
  e2e_error: {
    kind: 'instant',
    form: '<instance>/<message>',
    about:
      'A frame whose end-to-end check fails, with the codec that the gateway has for the message: wrong checksum or data id, wrong sequence, or repeated.',
    example: 'e2e_error cabin/Wheels',
    read: readE2eName,
  },
  silence: {
    kind: 'state',
    form: '<id> <duration>',
    about: 'No frame with this identifier came for the duration. False before the first of them.',
    example: 'silence 123 100ms',
    read: (scanner) => ({ id: readPattern(scanner), duration: readDuration(scanner) }),
  },
  pdu: {
    kind: 'instant',
    form: `[${pduProtocols.join('|')}] [pgn <number>] [id <id>] [nrc <hex>] [status <status>] [data <bytes>]`,
    about:
      'A reassembled payload ends, as `pdu watch` shows it. Without a status only a complete one counts. `nrc` is a negative response with this code in hex; `pgn` is decimal, or hex with 0x.',
    example: 'pdu isotp nrc 22',
    read: readPdu,
  },
};

export const termNames = Object.keys(terms) as readonly Term['op'][];
