import { describe, expect, it } from 'vitest';
import { formatHex, parseHex } from '../frame/hex-bytes.ts';
import { answers, UdsExchange } from './uds-exchange.ts';

const bytes = (text: string): Uint8Array => parseHex(text, { field: 'payload', maxLength: 64 });
const timers = { p2Us: 50, p2StarUs: 5000 };

type Step =
  | readonly ['sent', number]
  | readonly ['began', number?]
  | readonly ['broke', number, number?]
  | readonly ['response', string, number, number?]
  | readonly ['expire', number];

const outcomeOf = (exchange: UdsExchange): string => {
  if (exchange.failure !== undefined) return exchange.failure;
  if (exchange.result === undefined) return `open until ${exchange.deadlineUs}`;
  const { pending } = exchange;
  const { responses } = exchange.result;
  const shown = responses.map(
    ({ from, payload, positive, nrc }) =>
      `${from}:${formatHex(payload)}${positive ? '' : ` nrc ${nrc?.toString(16)}`}`,
  );
  return `${shown.join(', ') || 'silence'}${pending > 0 ? `, ${pending} pending` : ''}`;
};

const run = (request: string, functional: boolean, steps: readonly Step[]): UdsExchange => {
  const exchange = new UdsExchange({ request: bytes(request), functional, timers });
  for (const [input, ...values] of steps) {
    if (input === 'response') {
      const [payload, atUs, id] = values as [string, number, number?];
      exchange.response(bytes(payload), atUs, id);
    } else {
      exchange[input](...(values as [number]));
    }
  }
  return exchange;
};

describe('a physical request', () => {
  it.each<[string, string, Step[], string]>([
    ['has no deadline before it was sent', '22F190', [], 'open until Infinity'],
    ['waits for P2 after it was sent', '22F190', [['sent', 100]], 'open until 150'],
    [
      'fails after P2',
      '22F190',
      [
        ['sent', 100],
        ['expire', 150],
      ],
      'no_response',
    ],
    [
      'does not expire early',
      '22F190',
      [
        ['sent', 100],
        ['expire', 149],
      ],
      'open until 150',
    ],
    [
      'ends with its response',
      '22F190',
      [
        ['sent', 0],
        ['response', '62F19041', 9],
      ],
      '0:62F19041',
    ],
    [
      'waits for a response that began within P2, however long it is',
      '22F190',
      [['sent', 0], ['began'], ['expire', 60], ['response', '62F19041', 90]],
      '0:62F19041',
    ],
    ['has no deadline while answered', '22F190', [['sent', 0], ['began']], 'open until Infinity'],
    [
      'waits on P2 again after a broken reception',
      '22F190',
      [['sent', 0], ['began'], ['broke', 10]],
      'open until 50',
    ],
    [
      'returns a negative response',
      '22F190',
      [
        ['sent', 0],
        ['response', '7F2231', 1],
      ],
      '0:7F2231 nrc 31',
    ],
    [
      'returns busy, repeat request',
      '22F190',
      [
        ['sent', 0],
        ['response', '7F2221', 1],
      ],
      '0:7F2221 nrc 21',
    ],
    [
      'waits for P2* after 0x78',
      '3101F190',
      [
        ['sent', 0],
        ['response', '7F3178', 40],
      ],
      'open until 5040',
    ],
    [
      'waits for P2* after each 0x78',
      '3101F190',
      [
        ['sent', 0],
        ['response', '7F3178', 40],
        ['response', '7F3178', 5000],
      ],
      'open until 10000',
    ],
    [
      'counts the responses 0x78',
      '3101F190',
      [
        ['sent', 0],
        ['response', '7F3178', 40],
        ['response', '7F3178', 50],
        ['response', '7101F190FF', 60],
      ],
      '0:7101F190FF, 2 pending',
    ],
    [
      'fails after P2*',
      '3101F190',
      [
        ['sent', 0],
        ['response', '7F3178', 40],
        ['expire', 5040],
      ],
      'response_pending_timeout',
    ],
    [
      'waits on P2* again after a broken reception',
      '3101F190',
      [['sent', 0], ['response', '7F3178', 40], ['began'], ['broke', 70]],
      'open until 5040',
    ],
    [
      'ignores the response of another service and waits on',
      '22F190',
      [
        ['sent', 0],
        ['response', '5003', 10],
      ],
      'open until 50',
    ],
    [
      'takes its response after one of another service',
      '22F190',
      [
        ['sent', 0],
        ['response', '6E1234', 10],
        ['response', '62F19041', 20],
      ],
      '0:62F19041',
    ],
    [
      'reports an unexpected response if no other came',
      '22F190',
      [
        ['sent', 0],
        ['response', '621234AA', 10],
        ['expire', 50],
      ],
      'unexpected_response',
    ],
    [
      'reports an unexpected response after 0x78, too',
      '22F190',
      [
        ['sent', 0],
        ['response', '7F2278', 1],
        ['response', '621234AA', 10],
        ['expire', 5001],
      ],
      'unexpected_response',
    ],
    [
      'expires after a foreign response that ended after P2',
      '22F190',
      [['sent', 0], ['began'], ['response', '621234AA', 80], ['expire', 81]],
      'unexpected_response',
    ],
    [
      'takes no answer to TesterPresent for unexpected',
      '22F190',
      [
        ['sent', 0],
        ['response', '7E00', 1],
        ['response', '7F3E22', 2],
        ['expire', 50],
      ],
      'no_response',
    ],
    [
      'answers TesterPresent itself',
      '3E00',
      [
        ['sent', 0],
        ['response', '7E00', 1],
      ],
      '0:7E00',
    ],
    [
      'takes silence for success if suppressed',
      '3E80',
      [
        ['sent', 0],
        ['expire', 50],
      ],
      'silence',
    ],
    [
      'returns a response although it was suppressed',
      '1083',
      [
        ['sent', 0],
        ['response', '5003003201F4', 1],
      ],
      '0:5003003201F4',
    ],
    [
      'waits for the final response after 0x78 although suppressed',
      '1183',
      [
        ['sent', 0],
        ['response', '7F1178', 1],
        ['expire', 5001],
      ],
      'response_pending_timeout',
    ],
    [
      'does not take a data byte for the suppress bit',
      '2280',
      [
        ['sent', 0],
        ['expire', 50],
      ],
      'no_response',
    ],
    [
      'ignores what comes after its end',
      '22F190',
      [['sent', 0], ['expire', 50], ['began'], ['response', '62F19041', 60], ['expire', 90]],
      'no_response',
    ],
  ])('%s', (_, request, steps, outcome) => {
    expect(outcomeOf(run(request, false, steps))).toBe(outcome);
  });

  it('keeps the bytes of a response that the caller uses again', () => {
    const exchange = new UdsExchange({ request: bytes('22F190'), functional: false, timers });
    const payload = bytes('62F19041');
    exchange.sent(0);
    exchange.response(payload, 1);
    payload.fill(0);
    expect(outcomeOf(exchange)).toBe('0:62F19041');
  });
});

describe('a positive response', () => {
  it.each([
    ['snapshot of another DTC', '1904030100FF', '59049999992F', false],
    ['snapshot', '1904030100FF', '59040301002F', true],
    ['extended data of another DTC', '1906030100FF', '59069999992F', false],
    ['control of another kind', '2FF19000', '6FF19001', false],
    ['control without its kind', '2FF19000', '6FF190', false],
    ['another routine', '31010203', '71010204', false],
    ['an identifier that was not read', '22F190F18C', '62F18B41', false],
    ['the second of two identifiers', '22F190F18C', '62F18C41', true],
  ])('%s: %s, %s is an answer: %s', (_, request, response, expected) => {
    expect(answers(bytes(request), bytes(response))).toBe(expected);
  });
});

/** A request of every service, and the positive response to it. */
const services: readonly (readonly [string, string])[] = [
  ['1003', '5003003201F4'],
  ['1101', '5101'],
  ['14FFFFFF', '54'],
  ['1902FF', '5902FF'],
  ['22F190', '62F19041'],
  ['2312100004', '6300000000'],
  ['2701', '6701DEAD'],
  ['2702CAFE', '6702'],
  ['280301', '6803'],
  ['2E123401', '6E1234'],
  ['2F12340355', '6F12340355'],
  ['31010203', '71010203'],
  ['340012100004', '74200FA2'],
  ['3601AA', '7601'],
  ['37', '77'],
  ['3D1210000155', '7D12100001'],
  ['3E00', '7E00'],
  ['8502', 'C502'],
  ['BA01', 'FA01'],
];

describe.each(services)('request %s', (request, positive) => {
  const refusal = (code: string): string => `7F${request.slice(0, 2)}${code}`;

  it.each<[string, Step[], string]>([
    ['ends with its response', [['response', positive, 9]], `0:${positive}`],
    ['ends with a refusal', [['response', refusal('31'), 9]], `0:${refusal('31')} nrc 31`],
    ['fails after silence', [['expire', 50]], 'no_response'],
    [
      'fails after silence that follows 0x78',
      [
        ['response', refusal('78'), 9],
        ['expire', 5009],
      ],
      'response_pending_timeout',
    ],
    [
      'ends with the response that follows 0x78',
      [
        ['response', refusal('78'), 9],
        ['response', positive, 900],
      ],
      `0:${positive}, 1 pending`,
    ],
    [
      'fails with another response',
      [
        ['response', 'EE', 9],
        ['expire', 50],
      ],
      'unexpected_response',
    ],
  ])('%s', (_, steps, outcome) => {
    expect(outcomeOf(run(request, false, [['sent', 0], ...steps]))).toBe(outcome);
  });
});

/** Inputs that lead to each state. */
const states = {
  awaiting: [['sent', 0]],
  answering: [['sent', 0], ['began']],
  pending: [
    ['sent', 0],
    ['response', '7F2278', 10],
  ],
  'answering after 0x78': [['sent', 0], ['response', '7F2278', 10], ['began']],
  done: [
    ['sent', 0],
    ['response', '62F19041', 10],
  ],
} satisfies Record<string, Step[]>;

const inputs = {
  sent: ['sent', 20],
  began: ['began'],
  broke: ['broke', 20],
  response: ['response', '62F19042', 20],
  pending: ['response', '7F2278', 20],
  foreign: ['response', '6E1234', 20],
  'P2 over': ['expire', 50],
  'P2* over': ['expire', 5010],
} satisfies Record<string, Step>;

const open = (until: number): string => `open until ${until}`;
const never = open(Number.POSITIVE_INFINITY);
const answered = '0:62F19042';

describe('an exchange', () => {
  it.each<[keyof typeof states, Record<keyof typeof inputs, string>]>([
    [
      'awaiting',
      {
        sent: open(50),
        began: never,
        broke: open(50),
        response: answered,
        pending: open(5020),
        foreign: open(50),
        'P2 over': 'no_response',
        'P2* over': 'no_response',
      },
    ],
    [
      'answering',
      {
        sent: never,
        began: never,
        broke: open(50),
        response: answered,
        pending: open(5020),
        foreign: open(50),
        'P2 over': never,
        'P2* over': never,
      },
    ],
    [
      'pending',
      {
        sent: open(5010),
        began: never,
        broke: open(5010),
        response: `${answered}, 1 pending`,
        pending: open(5020),
        foreign: open(5010),
        'P2 over': open(5010),
        'P2* over': 'response_pending_timeout',
      },
    ],
    [
      'answering after 0x78',
      {
        sent: never,
        began: never,
        broke: open(5010),
        response: `${answered}, 1 pending`,
        pending: open(5020),
        foreign: open(5010),
        'P2 over': never,
        'P2* over': never,
      },
    ],
    [
      'done',
      {
        sent: '0:62F19041',
        began: '0:62F19041',
        broke: '0:62F19041',
        response: '0:62F19041',
        pending: '0:62F19041',
        foreign: '0:62F19041',
        'P2 over': '0:62F19041',
        'P2* over': '0:62F19041',
      },
    ],
  ])('that is %s takes each input as its table says', (state, expected) => {
    const found = Object.entries(inputs).map(([name, step]) => [
      name,
      outcomeOf(run('22F190', false, [...states[state], step] as Step[])),
    ]);
    expect(Object.fromEntries(found)).toEqual(expected);
  });
});

describe('a functional request', () => {
  it.each<[string, string, Step[], string]>([
    [
      'ends after P2 without a response',
      '22F190',
      [
        ['sent', 0],
        ['expire', 50],
      ],
      'silence',
    ],
    [
      'collects the responses until P2 is over',
      '22F190',
      [
        ['sent', 0],
        ['response', '62F19041', 9, 0x7e8],
        ['response', '62F19042', 10, 0x7e9],
      ],
      'open until 50',
    ],
    [
      'returns them in the order in which they were complete',
      '22F190',
      [
        ['sent', 0],
        ['began', 1],
        ['response', '62F19042', 10, 2],
        ['response', '7F2222', 11, 1],
        ['expire', 50],
      ],
      '2:62F19042, 1:7F2222 nrc 22',
    ],
    [
      'waits for a response that began within P2',
      '22F190',
      [
        ['sent', 0],
        ['began', 1],
        ['expire', 50],
        ['response', '62F19042', 100, 1],
      ],
      '1:62F19042',
    ],
    [
      'ends when a reception fails after P2',
      '22F190',
      [
        ['sent', 0],
        ['began', 1],
        ['expire', 50],
        ['broke', 100, 1],
      ],
      'silence',
    ],
    [
      'ignores a responder that begins after P2',
      '22F190',
      [
        ['sent', 0],
        ['began', 1],
        ['expire', 50],
        ['response', '62F19041', 60, 2],
        ['broke', 70, 1],
      ],
      'silence',
    ],
    [
      'waits for one that is pending',
      '22F190',
      [
        ['sent', 0],
        ['response', '7F2278', 9, 1],
        ['expire', 50],
      ],
      'open until 5009',
    ],
    [
      'returns 0x78 of one that stays pending',
      '22F190',
      [
        ['sent', 0],
        ['response', '7F2278', 9, 1],
        ['expire', 50],
        ['expire', 5009],
      ],
      '1:7F2278 nrc 78, 1 pending',
    ],
    [
      'ignores a second response of the same responder',
      '22F190',
      [
        ['sent', 0],
        ['response', '62F19041', 9, 1],
        ['response', '62F19042', 10, 1],
        ['expire', 50],
      ],
      '1:62F19041',
    ],
    [
      'omits foreign responses',
      '22F190',
      [
        ['sent', 0],
        ['response', '6E1234', 9, 1],
        ['expire', 50],
      ],
      'silence',
    ],
  ])('%s', (_, request, steps, outcome) => {
    expect(outcomeOf(run(request, true, steps))).toBe(outcome);
  });
});

describe('a payload', () => {
  it.each([
    ['22F190', '62F190', true],
    ['22F1901234', '621234', true],
    ['22F190', '62F191', false],
    ['22F190', '62F1', false],
    ['22F190', '7F2231', true],
    ['22F190', '7F22', false],
    ['22F190', '7F2E31', false],
    ['1083', '5003', true],
    ['1003', '5002', false],
    ['2E123401', '6E1234', true],
    ['2E123401', '6E1235', false],
    ['31010203AA', '7101020300', true],
    ['31010203AA', '7102020300', false],
    ['31010203AA', '7101020400', false],
    ['36FF00', '76FF', true],
    ['36FF00', '7600', false],
    ['2F123403', '6F123403', true],
    ['37', '77', true],
    ['BA', 'FA', true],
    ['14FFFFFF', '54', true],
    ['2701', '6702', false],
    ['1902FF', '5902FF', true],
  ])('of request %s: %s answers it: %s', (request, payload, expected) => {
    expect(answers(bytes(request), bytes(payload))).toBe(expected);
  });
});
