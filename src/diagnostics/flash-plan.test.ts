import { describe, expect, it } from 'vitest';
import { formatHex, parseHex } from '../frame/hex-bytes.ts';
import { EcuServer } from './ecu-server.ts';
import { FlashPlan } from './flash-plan.ts';
import { type FlashSequence, readFlashSequence } from './flash-sequence.ts';
import type { Image } from './image.ts';

const bytes = (text: string): Uint8Array => parseHex(text, { field: 'payload', maxLength: 9000 });
const encoded = (content: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(content));

const imageOf = (...segments: readonly [number, number][]): Image => ({
  segments: segments.map(([address, length]) => ({
    address,
    data: Uint8Array.from({ length }, (_, index) => index % 251),
  })),
  size: segments.reduce((sum, [, length]) => sum + length, 0),
  start: null,
});

/** Requests of a plan, answered by a script; `wait` and `key` are listed as such. */
const run = (
  sequence: FlashSequence,
  image: Image,
  answer: (request: string) => string | null,
): { readonly actions: string[]; readonly plan: FlashPlan } => {
  const plan = new FlashPlan(sequence, image);
  const actions: string[] = [];
  let outcome: Uint8Array | null = null;
  for (let action = plan.next(); action !== null; action = plan.next(outcome)) {
    outcome = null;
    if (action.kind === 'wait') actions.push(`wait ${action.us}`);
    else if (action.kind === 'key') {
      actions.push(`key of ${formatHex(action.seed)} for level ${action.level}`);
      outcome = bytes('CAFE');
    } else {
      const request = formatHex(action.request);
      actions.push(action.functional ? `functional ${request}` : request);
      const response = answer(request);
      outcome = response === null ? null : bytes(response);
    }
  }
  return { actions, plan };
};

const download = { step: 'download' } as const;

/** Accepts everything, with blocks of 6 bytes. */
const accepting = (request: string): string => {
  if (request.startsWith('34')) return '74200006';
  if (request.startsWith('2701')) return '6701AB';
  const head = (Number.parseInt(request.slice(0, 2), 16) | 0x40).toString(16).toUpperCase();
  return head + request.slice(2, request.startsWith('31') ? 8 : 4);
};

describe('a plan', () => {
  it('sends every segment in blocks as long as the ECU accepts', () => {
    const { actions, plan } = run(
      { steps: [download] },
      imageOf([0x1000, 6], [0x2000, 4]),
      accepting,
    );
    expect(actions).toEqual([
      '3400440000100000000006',
      '360100010203',
      '36020405',
      '37',
      '3400440000200000000004',
      '360100010203',
      '37',
    ]);
    expect(plan.progress).toEqual({
      step: 1,
      steps: 1,
      name: 'download',
      bytes: 10,
      totalBytes: 10,
    });
  });

  it('counts blocks up to 255 and continues with 0', () => {
    const { actions } = run({ steps: [download] }, imageOf([0, 4 * 257]), accepting);
    const counters = actions
      .filter((each) => each.startsWith('36'))
      .map((each) => each.slice(2, 4));
    expect([counters[0], counters[254], counters[255], counters[256]]).toEqual([
      '01',
      'FF',
      '00',
      '01',
    ]);
  });

  it('sends no longer blocks than the sequence says', () => {
    const step = { ...download, max_block_length: 4, address_bytes: 2, size_bytes: 1 };
    const { actions } = run({ steps: [step] }, imageOf([0x1000, 3]), accepting);
    expect(actions).toEqual(['340012100003', '36010001', '360202', '37']);
  });

  it('makes the requests of all steps in their order', () => {
    const { actions } = run(
      {
        steps: [
          { step: 'request', data: '85 82', functional: true },
          { step: 'session', session: 'programming' },
          { step: 'session', session: 0x40 },
          { step: 'security', level: 1 },
          { step: 'security', level: 1, key: '0102' },
          { step: 'routine', routine: 'FF00', data: '44{address}{size}', each_segment: true },
          { step: 'wait', ms: 20 },
          { ...download },
          { step: 'request', data: '2E F184 01', expect: '6EF184' },
          { step: 'reset', reset: 'hard' },
        ],
      },
      imageOf([0x1000, 1]),
      (request) =>
        request === '8582' ? null : request.startsWith('2E') ? '6EF184' : accepting(request),
    );
    expect(actions).toEqual([
      'functional 8582',
      '1002',
      '1040',
      '2701',
      'key of AB for level 1',
      '2702CAFE',
      '2701',
      '27020102',
      '3101FF00440000100000000001',
      'wait 20000',
      '3400440000100000000001',
      '360100',
      '37',
      '2EF18401',
      '1101',
    ]);
  });

  it('sends no key if the seed says that the level is unlocked', () => {
    const steps: FlashSequence['steps'] = [{ step: 'security', level: 1 }, download];
    const { actions } = run({ steps }, imageOf([0, 1]), (request) =>
      request === '2701' ? '670100' : accepting(request),
    );
    expect(actions.slice(0, 2)).toEqual(['2701', '3400440000000000000001']);
  });

  it('continues after the failure of an optional step', () => {
    const steps: FlashSequence['steps'] = [
      { step: 'request', data: '3E00', optional: true },
      download,
    ];
    const { actions } = run({ steps }, imageOf([0, 1]), (request) =>
      request === '3E00' ? '7F3E11' : accepting(request),
    );
    expect(actions).toHaveLength(4);
  });

  it.each<[FlashSequence['steps'][number], string | null, string, object]>([
    [
      { step: 'request', name: 'prepare', data: '2EF18401' },
      '7F2E33',
      'Step 1 (prepare): Negative response to WriteDataByIdentifier: 0x33 security access denied',
      {
        step: 1,
        request: '2EF18401',
        response: '7F2E33',
        nrc: 0x33,
        nrc_name: 'security access denied',
      },
    ],
    [
      { step: 'request', data: '22F190', expect: '62F190' },
      '62F191',
      'Step 1 (request): the response to ReadDataByIdentifier F190 does not begin with 62F190',
      { step: 1, request: '22F190', response: '62F191' },
    ],
    [
      { step: 'request', data: '22F190', expect: '62F190' },
      null,
      'Step 1 (request): the response to ReadDataByIdentifier F190 does not begin with 62F190',
      { step: 1, request: '22F190', response: 'no response' },
    ],
    [
      { step: 'routine', routine: 'FF01', expect: '00' },
      '7101FF0101',
      'Step 1 (routine): the response to RoutineControl start FF01 does not begin with 7101FF0100',
      { step: 1, request: '3101FF01', response: '7101FF0101' },
    ],
    [
      { step: 'session', session: 2 },
      '7F1022',
      'Step 1 (session): Negative response to DiagnosticSessionControl: 0x22 conditions not correct',
      {
        step: 1,
        request: '1002',
        response: '7F1022',
        nrc: 0x22,
        nrc_name: 'conditions not correct',
      },
    ],
    [
      { step: 'security', level: 1 },
      null,
      'Step 1 (security): the response to SecurityAccess request seed, level 1 is not positive',
      { step: 1, request: '2701', response: 'no response' },
    ],
  ])('stops at %j answered by %s', (step, response, message, details) => {
    expect(() => run({ steps: [step, download] }, imageOf([0, 1]), () => response)).toThrow(
      expect.objectContaining({ code: 'unexpected_response', message, details }),
    );
  });

  it.each([
    ['34', '7F3470'],
    ['36', '7F3672'],
    ['36', '7602'],
    ['37', '7F3724'],
    ['34', '740000'],
  ])('stops at a download whose %s is answered by %s', (service, response) => {
    const answer = (request: string): string =>
      request.startsWith(service) ? response : accepting(request);
    expect(() => run({ steps: [download] }, imageOf([0, 1]), answer)).toThrow(
      expect.objectContaining({ code: 'unexpected_response' }),
    );
  });

  it('flashes a server', () => {
    const server = new EcuServer({
      model: {
        security: { '1': { seed: 'DEAD', key: 'CAFE' } },
        routines: { FF00: { security: 1 } },
        memory: { address: 0x1000, size: 4096, security: 1, sessions: [2] },
      },
      readSignal: () => null,
    });
    const image = imageOf([0x1000, 2000], [0x1900, 1000]);
    const steps: FlashSequence['steps'] = [
      { step: 'session', session: 'programming' },
      { step: 'security', level: 1 },
      { step: 'routine', routine: 'FF00', data: '44{address}{size}', each_segment: true },
      { ...download, max_block_length: 100 },
      { step: 'reset', reset: 'hard' },
    ];
    run({ steps }, image, (request) => {
      server.request(bytes(request), false, 0);
      return formatHex(server.takeResponse()?.payload ?? new Uint8Array());
    });
    for (const { address, data } of image.segments) {
      const at = address - 0x1000;
      expect(server.memory?.subarray(at, at + data.length)).toEqual(data);
    }
  });
});

describe('a sequence', () => {
  const steps = [download];

  it.each<[unknown, string]>([
    [{ steps: [] }, 'steps must have at least 1 item'],
    [
      { steps: [{ step: 'burn' }] },
      'steps[0].step must be one of request, session, security, routine, download, wait, reset',
    ],
    [
      { steps: [{ step: 'request', data: '1G' }, ...steps] },
      'steps[0].data must be bytes of two hexadecimal digits each, {address} or {size}',
    ],
    [
      { steps: [{ step: 'request', data: '31{size}' }, ...steps] },
      'steps[0].data has {address} or {size}, which needs each_segment',
    ],
    [{ steps: [{ step: 'security', level: 2 }, ...steps] }, 'steps[0].level must be odd'],
    [{ steps: [{ step: 'wait', ms: 1 }] }, 'steps must have one download'],
    [{ steps: [download, download] }, 'steps must have one download'],
    [{ steps: [{ ...download, speed: 1 }] }, 'steps[0].speed is not a known field'],
  ])('%j is refused', (content, message) => {
    expect(() => readFlashSequence(encoded(content))).toThrow(
      expect.objectContaining({ code: 'invalid_diagnostics_file', message }),
    );
  });

  it('is read from its file', () => {
    expect(readFlashSequence(encoded({ name: 'app', steps }))).toEqual({ name: 'app', steps });
  });
});
