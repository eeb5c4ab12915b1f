import { parseDecimal } from '../base/decimal/decimal.ts';
import { type BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import { parseCondition, parseConditionIn } from '../condition/parse-condition.ts';
import { conditionError, Scanner, type Token } from '../condition/scanner.ts';
import { readDuration, readName, termNames } from '../condition/terms.ts';
import { requireE2eFields } from '../e2e/check-fields.ts';
import { e2eSettings } from '../e2e/codec-fields.ts';
import { idPatternForm, readIdPattern } from '../frame/id-pattern.ts';
import type {
  ChannelName,
  Check,
  FramePattern,
  MessageName,
  OrderEvent,
  Rule,
  RuleKind,
} from './check.ts';
import { type CheckEntry, maxCheckText } from './check-file.ts';

const number = String.raw`-?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?`;
const rangeText = new RegExp(`^(${number})\\.\\.(${number})$`);
const percentText = /^(\d{1,3}(?:\.\d{1,6})?)%$/;
const toleranceText = /^(?:\+-|±)(.+)$/;
const countText = /^\d{1,40}$/;
const hexPattern = /^(?:[0-9A-Fa-f?]{2})*$/;

const readWord = (scanner: Scanner, expected: string): Token => {
  const { kind, text } = scanner.token;
  if ((kind !== 'word' && kind !== 'text') || text === '') return scanner.fail(expected);
  return scanner.take();
};

const expectWord = (scanner: Scanner, word: string): void => {
  if (!scanner.takeIf(word)) scanner.fail(word);
};

const readMessage = (scanner: Scanner): MessageName => {
  const { text, at } = readWord(scanner, 'a message or an identifier');
  return { text, at };
};

/** `+-10%` of the period, or `+-2ms`, as nanoseconds. */
const readTolerance = (scanner: Scanner, periodNs: number): number => {
  const expected = 'a tolerance such as +-10% or +-2ms';
  const { kind, text } = scanner.token;
  const [, size = ''] = (kind === 'word' && toleranceText.exec(text)) || [];
  if (size === '') return scanner.fail(expected);
  const [, percent] = percentText.exec(size) ?? [];
  if (percent !== undefined) {
    if (Number(percent) > 100) return scanner.fail('a tolerance of at most +-100%');
    scanner.take();
    return (periodNs * Number(percent)) / 100;
  }
  const token = scanner.token;
  const from = token.end - size.length;
  const duration = new Scanner(scanner.text.slice(0, token.end), scanner.field, from);
  const { ns } = readDuration(duration);
  if (ns > periodNs) return scanner.fail('a tolerance that is not above the cycle time');
  scanner.take();
  return ns;
};

const readFrame = (scanner: Scanner): FramePattern => {
  const expected = 'a frame such as 7E0#0322F190, where ? is any digit';
  const { kind, text } = scanner.token;
  const hash = text.indexOf('#');
  if (kind !== 'word' || hash < 0) return scanner.fail(expected);
  const id = readIdPattern(text.slice(0, hash));
  if ('reason' in id) return scanner.fail(`${idPatternForm}, before #`);
  const data = text.slice(hash + 1).toUpperCase();
  if (!hexPattern.test(data) || data.length > 128) return scanner.fail(expected);
  scanner.take();
  return { text, id, data };
};

const readWindow = (scanner: Scanner) => {
  expectWord(scanner, 'within');
  return readDuration(scanner);
};

const readEvent = (scanner: Scanner): OrderEvent => {
  const { token } = scanner;
  const { kind, text } = token;
  const isCondition =
    kind === '(' || (kind === 'word' && [...termNames, 'not'].some((name) => name === text));
  if (!isCondition) return { message: readMessage(scanner) };
  const { condition, next } = parseConditionIn(scanner.text, scanner.field, token.at);
  scanner.back(next);
  return { condition, text: scanner.text.slice(token.at, next.at).trimEnd() };
};

interface Form<Of extends Rule> {
  /** Its form, after the first word. */
  readonly form: string;
  readonly about: string;
  readonly example: string;
  /** Whether `on` after it names its channel. */
  readonly takesChannel: boolean;
  readonly read: (scanner: Scanner, entry: CheckEntry) => Omit<Of, 'kind'>;
}

type Forms = { readonly [Kind in RuleKind]: Form<Extract<Rule, { kind: Kind }>> };

/** The forms of checks: read by the parser, and rendered into the reference. */
export const checkForms: Forms = {
  cycle: {
    form: '<message> <time> +-<tolerance>',
    about:
      'Each frame of the message comes one cycle time after the frame before, up to the tolerance: a share of the cycle time or a time. A message that stops fails when the last event is too late.',
    example: 'cycle Engine 20ms +-10%',
    takesChannel: true,
    read: (scanner) => {
      const message = readMessage(scanner);
      const period = readDuration(scanner);
      const toleranceNs = readTolerance(scanner, period.ns);
      const [lowNs, highNs] = [period.ns - toleranceNs, period.ns + toleranceNs];
      return { message, period, lowNs, highNs };
    },
  },
  counter: {
    form: '<Message.Signal> [max <number>]',
    about:
      'The raw value grows by 1 with each frame, and is 0 after the maximum. Without max, the maximum is the largest value of the signal.',
    example: 'counter Wheels.Counter max 14',
    takesChannel: true,
    read: (scanner) => {
      const signal = readName(scanner);
      if (!scanner.takeIf('max')) return { signal, max: null };
      const { kind, text } = scanner.token;
      if (kind !== 'word' || !countText.test(text) || BigInt(text) === 0n) {
        return scanner.fail('the largest count, a whole number above 0');
      }
      scanner.take();
      return { signal, max: BigInt(text) };
    },
  },
  e2e: {
    form: '<message>',
    about:
      'The end-to-end protection of each frame is right: checksum, data id, and a counter in sequence. The protection is the `codec` of the check, with the fields of a codec of a gateway project.',
    example: 'e2e Wheels',
    takesChannel: true,
    read: (scanner, { codec }) => {
      const message = readMessage(scanner);
      if (codec === undefined) {
        throw invalidArgument(codecField(scanner.field), `${scanner.field}: e2e needs a codec`, {
          reason: 'missing_codec',
        });
      }
      if ('plugin' in codec) throw pluginCodec(scanner.field);
      const settings = e2eSettings(codec);
      requireE2eFields(settings, codecField(scanner.field));
      return { message, codec: settings };
    },
  },
  answer: {
    form: '<id>#<bytes> with <id>#<bytes> within <time>',
    about:
      'Each frame whose payload begins with the first bytes is answered in time by one that begins with the second; `?` is any digit. An answer belongs to the oldest request that waits.',
    example: 'answer 7E0#0322F190 with 7E8#??62F190 within 50ms',
    takesChannel: true,
    read: (scanner) => {
      const request = readFrame(scanner);
      expectWord(scanner, 'with');
      return { request, answer: readFrame(scanner), window: readWindow(scanner) };
    },
  },
  value: {
    form: '<Message.Signal> in <low>..<high>',
    about:
      'Each value of the signal is in the range, with its limits. A value that is no number is not.',
    example: 'value Engine.Temperature in -40..150',
    takesChannel: true,
    read: (scanner) => {
      const signal = readName(scanner);
      expectWord(scanner, 'in');
      const { kind, text } = scanner.token;
      const [, from = '', to = ''] = (kind === 'word' && rangeText.exec(text)) || [];
      const [low, high] = [parseDecimal(from), parseDecimal(to)];
      if (low === null || high === null) return scanner.fail('a range such as -40..150');
      if (Number(from) > Number(to))
        return scanner.fail('a range whose end is not below its start');
      scanner.take();
      return { signal, low: { text: from, value: low }, high: { text: to, value: high } };
    },
  },
  never: {
    form: '<condition>',
    about:
      'The condition does not become true. Terms of conditions take `on` each, and need it if they match on several channels.',
    example: 'never signal Engine.EngineSpeed > 8000',
    takesChannel: false,
    read: (scanner) => {
      const condition = parseCondition(scanner.text, scanner.field, scanner.token.at);
      while (scanner.token.kind !== 'end') scanner.take();
      return { condition };
    },
  },
  'never gap': {
    form: '',
    about: 'No events are missing.',
    example: 'never gap',
    takesChannel: false,
    read: () => ({}),
  },
  load: {
    form: '<|<= <percent>%',
    about:
      'The bus load of each second is below the limit. On a trace file it needs the bit rates. Seconds begin with the first event; an incomplete one is judged only if it is above the limit.',
    example: 'load < 60%',
    takesChannel: true,
    read: (scanner) => {
      const { kind, text } = scanner.token;
      if (kind !== 'comparison' || (text !== '<' && text !== '<=')) return scanner.fail('< or <=');
      scanner.take();
      const [, percent = ''] = percentText.exec(scanner.token.text) ?? [];
      if (percent === '' || Number(percent) > 100) return scanner.fail('a share such as 60%');
      scanner.take();
      return { percent: Number(percent), isInclusive: text === '<=' };
    },
  },
  order: {
    form: '<message or condition> then <message or condition> within <time>',
    about:
      'The two take turns: after the first comes the second in time, and neither comes twice in a row. A name such as frame is quoted.',
    example: 'order Engine then Wheels within 5ms',
    takesChannel: true,
    read: (scanner) => {
      const first = readEvent(scanner);
      expectWord(scanner, 'then');
      return { first, second: readEvent(scanner), window: readWindow(scanner) };
    },
  },
};

const words = [...new Set(Object.keys(checkForms).map((kind) => kind.split(' ')[0] as string))];

const readKind = (scanner: Scanner): RuleKind => {
  const { kind, text } = scanner.token;
  if (kind !== 'word' || !words.includes(text)) return scanner.fail(`one of ${words.join(', ')}`);
  scanner.take();
  if (text === 'never' && scanner.takeIf('gap')) return 'never gap';
  return text as RuleKind;
};

const readChannel = (scanner: Scanner): ChannelName | null => {
  if (!scanner.takeIf('on')) return null;
  const { text, at } = readWord(scanner, 'a channel');
  return { channel: text, at };
};

/** `checks[0].check` to `checks[0].codec`. */
export const codecField = (field: string): string => field.replace(/\.check$/, '.codec');

/** Parses a check. Its `codec` is only for an e2e check. */
export const parseCheck = (entry: CheckEntry, field: string, id: string): Check => {
  const { check: text, codec } = entry;
  if (text.length > maxCheckText) {
    const expected = `at most ${maxCheckText} characters`;
    throw conditionError(field, maxCheckText, expected, `expected ${expected}`);
  }
  const scanner = new Scanner(text, field);
  const kind = readKind(scanner);
  const { read, takesChannel } = checkForms[kind];
  const rule = { kind, ...read(scanner, entry) } as Rule;
  const on = takesChannel ? readChannel(scanner) : null;
  if (scanner.token.kind !== 'end') {
    scanner.fail(takesChannel && on === null ? 'on, or the end' : 'the end');
  }
  if (codec !== undefined && kind !== 'e2e') throw unusedCodec(field);
  return { id, text, field, rule, on };
};

const pluginCodec = (field: string): BusbarError =>
  invalidArgument(
    codecField(field),
    `${codecField(field)} is a plugin: plugin codecs cannot be checked, because checks do not run plugins`,
    { reason: 'plugin_codec' },
  );

const unusedCodec = (field: string): BusbarError =>
  invalidArgument(codecField(field), `${codecField(field)} is only for an e2e check`, {
    reason: 'not_applicable',
  });

const repeatedId = (field: string, id: string): BusbarError =>
  invalidArgument(field, `${field} is used by another check: ${id}`, { reason: 'repeated' });

/** Parses checks, of which `at` names the first. Ids that are omitted are numbers from 1. */
export const parseChecks = (
  entries: readonly CheckEntry[],
  fieldOf: (index: number) => string = (index) => `checks[${index}].check`,
  before: readonly Check[] = [],
): Check[] => {
  const used = new Set(before.map(({ id }) => id));
  return entries.map((entry, index) => {
    const field = fieldOf(index);
    const id = entry.id ?? String(before.length + index + 1);
    if (used.has(id)) throw repeatedId(field.replace(/\.check$/, '.id'), id);
    used.add(id);
    return parseCheck(entry, field, id);
  });
};
