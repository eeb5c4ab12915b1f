import { parseJson } from '../base/json/parse-json.ts';

/** Messages of a bench on one of its subjects, and the headers that describe them. */

export const header = {
  /** The server stores a message with the same id only once. */
  id: 'Nats-Msg-Id',
  expectedLast: 'Nats-Expected-Last-Subject-Sequence',
  kind: 'Busbar-Kind',
  boot: 'Busbar-Boot',
  first: 'Busbar-First',
  last: 'Busbar-Last',
  count: 'Busbar-Count',
  missed: 'Busbar-Missed',
} as const;

export type MessageKind = 'frames' | 'gap';

/** What is in a message: event ids of one channel and one start of the daemon. */
export interface MessageRange {
  readonly kind: MessageKind;
  /** Random for each start of a daemon. Event ids are unique within it. */
  readonly boot: string;
  readonly first: number;
  /** null in a gap that has no known end: the daemon or its uplink died. */
  readonly last: number | null;
  readonly count: number;
  /** Events that are missing; null if their number is unknown. */
  readonly missed: number | null;
}

export interface BenchMessage extends MessageRange {
  readonly subject: string;
  readonly body: Uint8Array;
}

export type Headers = readonly (readonly [string, string])[];

/**
 * Event ids are unique within a boot over all channels, so the first one identifies a batch. Gaps of
 * several channels can begin with the same id.
 */
export const messageId = (bench: string, message: Omit<BenchMessage, 'body'>): string => {
  const { boot, first, kind, subject } = message;
  const id = `${bench}.${boot}.${first}`;
  return kind === 'frames' ? id : `${id}.gap.${subject.slice(subject.lastIndexOf('.') + 1)}`;
};

export const messageHeaders = (bench: string, message: Omit<BenchMessage, 'body'>): Headers => [
  [header.id, messageId(bench, message)],
  [header.kind, message.kind],
  [header.boot, message.boot],
  [header.first, String(message.first)],
  ...(message.last === null ? [] : [[header.last, String(message.last)] as const]),
  [header.count, String(message.count)],
  ...(message.missed === null ? [] : [[header.missed, String(message.missed)] as const]),
];

const wholeNumber = /^(?:0|[1-9]\d{0,15})$/;

const numberIn = (text: string): number | null => (wholeNumber.test(text) ? Number(text) : null);

/** What the headers of a message contain; null if another program wrote it. */
export const parseHeaders = (textOf: (name: string) => string): MessageRange | null => {
  const kind = textOf(header.kind);
  const boot = textOf(header.boot);
  const first = numberIn(textOf(header.first));
  const count = numberIn(textOf(header.count));
  if ((kind !== 'frames' && kind !== 'gap') || boot === '' || first === null || count === null) {
    return null;
  }
  const last = numberIn(textOf(header.last));
  return { kind, boot, first, last, count, missed: numberIn(textOf(header.missed)) };
};

export type Gap = Pick<MessageRange, 'boot' | 'first' | 'last' | 'missed'>;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const gapMessage = (subject: string, { boot, first, last, missed }: Gap): BenchMessage => ({
  kind: 'gap',
  subject,
  boot,
  first,
  last,
  count: 0,
  missed,
  body: encoder.encode(JSON.stringify({ first, last, missed })),
});

type GapBody = Omit<Gap, 'boot'>;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value);
const isCountOrNull = (value: unknown): value is number | null => value === null || isCount(value);

/** The body of a gap message, or null if it is none. */
export const parseGap = (body: Uint8Array): GapBody | null => {
  try {
    const { first, last, missed } = parseJson(decoder.decode(body)) as Partial<GapBody>;
    const isGap = isCount(first) && isCountOrNull(last) && isCountOrNull(missed);
    return isGap ? { first, last, missed } : null;
  } catch {
    return null;
  }
};
