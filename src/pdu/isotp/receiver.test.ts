import { describe, expect, it } from 'vitest';
import { isLinTransport, LinReceiver } from './lin-transport.ts';
import { Pci, readPci } from './pci.ts';
import { counting, drawnTable, hexOf, ReceiverRig } from './testing/rigs.ts';

const first = '101B010203040506';
const next1 = '210708090A0B0C0D';
const next2 = '220E0F1011121314';
const last = '2315161718191A1B';

/** 27 bytes: a first frame and 3 consecutive ones, in blocks of 2. */
const states: Record<string, (rig: ReceiverRig) => unknown> = {
  idle: () => {},
  'to clear': (rig) => rig.receive(first),
  clearing: (rig) => rig.receive(first).next(),
  receiving: (rig) => rig.hear(first),
  'end of block': (rig) => rig.hear(first, next1),
  'to clear 2': (rig) => rig.hear(first, next1).receive(next2),
  'clearing 2': (rig) => rig.hear(first, next1).receive(next2).next(),
  'too long': (rig) => rig.receive('1FFF010203040506'),
};

/** The right consecutive frame of each state. */
const right: Record<string, string> = {
  'end of block': next2,
  'to clear 2': last,
  'clearing 2': last,
};

const inputs: Record<string, (rig: ReceiverRig, state: string) => unknown> = {
  single: (rig) => rig.receive('0322F190'),
  first: (rig) => rig.receive('1009010203040506'),
  'too long': (rig) => rig.receive('1FFF010203040506'),
  'short first': (rig) => rig.receive('1007010203040506'),
  right: (rig, state) => rig.receive(right[state] ?? next1),
  wrong: (rig) => rig.receive('2F0708090A0B0C0D'),
  flow: (rig) => rig.receive('300000'),
  invalid: (rig) => rig.receive('4000'),
  next: (rig) => rig.next(),
  sent: (rig) => rig.sent(),
  dropped: (rig) => rig.receiver.dropped(rig.nowUs),
  expire: (rig) => rig.expire(),
};

const shortFailure: Record<string, string> = {
  consecutive_frame_timeout: 'N_Cr',
  sequence_error: 'SN',
  response_too_long: 'long',
  replaced: 'replaced',
  send_timeout: 'N_Ar',
  dropped: 'dropped',
};

const resultOf = (rig: ReceiverRig, before: ReceiverRig): string => {
  const failures = rig.failures.slice(before.failures.length).map((code) => shortFailure[code]);
  const payload = rig.payloads.length > before.payloads.length ? ['payload'] : [];
  const frame = rig.frames.length > before.frames.length ? ['+1'] : [];
  const findings = rig.findings.length > before.findings.length ? ['!'] : [];
  return [rig.receiver.state, ...failures, ...payload, ...frame, ...findings].join(' ');
};

/**
 * After the new state: failures (`SN` sequence_error, `long` response_too_long), `payload` for a
 * message, `+1` for a flow control to the port, `!` for a finding.
 */
const table = `
state         single                 first              too long            short first      right         wrong    flow       invalid    next          sent       dropped       expire
idle          idle payload           clearing           idle long           idle !           idle          idle     idle       idle       idle          idle       idle          idle
to clear      idle replaced payload  clearing replaced  idle replaced long  idle replaced !  clearing      idle SN  clearing   clearing   clearing +1   clearing   clearing      idle N_Ar
clearing      idle replaced payload  clearing replaced  idle replaced long  idle replaced !  receiving     idle SN  clearing   clearing   clearing      receiving  idle dropped  idle N_Ar
receiving     idle replaced payload  clearing replaced  idle replaced long  idle replaced !  receiving     idle SN  receiving  receiving  receiving     receiving  receiving     idle N_Cr
end of block  idle replaced payload  clearing replaced  idle replaced long  idle replaced !  clearing      idle SN  receiving  receiving  receiving     receiving  receiving     idle N_Cr
to clear 2    idle replaced payload  clearing replaced  idle replaced long  idle replaced !  idle payload  idle SN  clearing   clearing   clearing +1   clearing   clearing      idle N_Ar
clearing 2    idle replaced payload  clearing replaced  idle replaced long  idle replaced !  idle payload  idle SN  clearing   clearing   clearing      receiving  idle dropped  idle N_Ar
too long      idle payload           clearing           idle long           idle !           idle          idle     idle       idle       idle +1       idle       idle          idle
`;

const prepared = (state: string): ReceiverRig => {
  const rig = new ReceiverRig({ blockSize: 2, maxLength: 1000 });
  states[state]?.(rig);
  return rig;
};

describe('a receiver in each state', () => {
  it.each(drawnTable(table))('$state, after $input: $expected', ({ state, input, expected }) => {
    const rig = prepared(state);
    inputs[input]?.(rig, state);
    expect(resultOf(rig, prepared(state))).toBe(expected);
  });

  it('has all states and inputs in the table', () => {
    const rows = drawnTable(table);
    expect(rows).toHaveLength(Object.keys(states).length * Object.keys(inputs).length);
    expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(Object.keys(states)));
    expect(new Set(rows.map(({ input }) => input))).toEqual(new Set(Object.keys(inputs)));
  });
});

describe('flow controls of a receiver', () => {
  it('have its block size and STmin, one for each block', () => {
    const rig = new ReceiverRig({ blockSize: 2, stMinUs: 450 });
    rig.hear(first, next1, next2, last);
    expect(rig.frames).toEqual(['7E0#3002F5', '7E0#3002F5']);
    expect(rig.payloads).toEqual([hexOf(counting(27))]);
  });

  it('are withdrawn if the message ends first', () => {
    const rig = new ReceiverRig().receive('1008010203040506', '210708');
    expect(rig.payloads).toEqual([hexOf(counting(8))]);
    expect(rig.next()).toBeNull();
  });

  it('are repeated if the port had no room', () => {
    const rig = new ReceiverRig().receive(first);
    rig.next();
    rig.receiver.putBack();
    expect(rig.sent().receiver.state).toBe('clearing');
    rig.next();
    expect(rig.sent().receiver.state).toBe('receiving');
    expect(rig.frames).toEqual(['7E0#300000', '7E0#300000']);
  });

  it('are an overflow again if the port had no room for it', () => {
    const rig = new ReceiverRig().receive('1000FFFFFFFF0102');
    rig.next();
    rig.receiver.putBack();
    rig.next();
    expect(rig.frames).toEqual(['7E0#320000', '7E0#320000']);
  });

  it('of a message before do not start N_Cr of the next one', () => {
    const rig = new ReceiverRig().receive(first);
    rig.next();
    rig.receive(first);
    expect(rig.sent().receiver.state).toBe('clearing');
    rig.next();
    expect(rig.sent().receiver.state).toBe('receiving');
  });

  it('are forgotten when the lane was closed', () => {
    const rig = new ReceiverRig().receive(first);
    rig.next();
    rig.receiver.reset();
    rig.receive(first).next();
    expect(rig.sent().receiver.state).toBe('receiving');
  });
});

describe('lengths of consecutive frames', () => {
  it.each([
    ['a short one in the middle', ['21070809', next2], ['sequence_error'], 1],
    ['a long one', [`21${hexOf(counting(11))}`, next2], ['sequence_error'], 1],
    ['a last one with too few bytes', [next1, next2, '231516'], [], 1],
    ['a last one with padding', [next1, next2, last], [], 0],
  ] as const)('are checked: %s', (_, frames, failures, findings) => {
    const rig = new ReceiverRig().hear(first, ...frames);
    expect(rig.failures).toEqual(failures);
    expect(rig.findings).toHaveLength(findings);
    expect(rig.payloads).toHaveLength(findings === 0 ? 1 : 0);
  });

  it('may be longer than the rest, which is padding', () => {
    const rig = new ReceiverRig().hear('1008010203040506', '210708CCCCCCCCCC');
    expect(rig.payloads).toEqual([hexOf(counting(8))]);
  });
});

describe('times of a receiver', () => {
  it('restarts N_Cr with each consecutive frame', () => {
    const rig = new ReceiverRig({ nCrUs: 1000 }).hear(first).wait(999).hear(next1).wait(999);
    expect(rig.receiver.state).toBe('receiving');
    rig.wait(1);
    expect(rig.failures).toEqual(['consecutive_frame_timeout']);
    expect(rig.hear(next2, last).payloads).toEqual([]);
  });
});

describe('a receiver', () => {
  it('accepts a 32-bit length that 12 bits could hold', () => {
    const rig = new ReceiverRig().hear('1000000000140102', '2103040506070809');
    rig.hear('220A0B0C0D0E0F10', '2311121314');
    expect(rig.payloads).toEqual([hexOf(counting(20))]);
  });

  it('keeps no byte of a longer message in a shorter one', () => {
    const rig = new ReceiverRig().hear('07FFFFFFFFFFFFFF', '0322F190', '0101');
    expect(rig.payloads).toEqual(['FFFFFFFFFFFFFF', '22F190', '01']);
  });

  it('receives a million bytes, and short messages before and after', () => {
    const rig = new ReceiverRig({ fd: true, maxLength: 1_000_000 });
    const payload = counting(1_000_000);
    rig.hear('0322F190', `1000000F4240${hexOf(payload.subarray(0, 58))}`);
    for (let at = 58, sequence = 1; at < payload.length; at += 63, sequence++) {
      rig.hear(`2${(sequence % 16).toString(16)}${hexOf(payload.subarray(at, at + 63))}`);
    }
    rig.hear('0322F191');
    expect(rig.payloads[0]).toBe('22F190');
    expect(rig.payloads[1] === hexOf(payload)).toBe(true);
    expect(rig.payloads[2]).toBe('22F191');
  });

  it('of functional requests ignores first frames', () => {
    const rig = new ReceiverRig({ isFunctional: true }).hear(first, '023E80');
    expect(rig.payloads).toEqual(['3E80']);
    expect(rig.frames).toEqual([]);
    expect(rig.begun).toEqual([2]);
  });
});

describe('a receiver on LIN', () => {
  const heard = (...frames: readonly string[]) => {
    const payloads: string[] = [];
    const failures: string[] = [];
    const receiver = new LinReceiver({
      nad: 0x0a,
      nCrUs: 1000,
      onPayload: (payload) => payloads.push(hexOf(payload)),
      onFailed: (code) => failures.push(code),
    });
    const pci = new Pci();
    for (const frame of frames) {
      const bytes = Buffer.from(frame, 'hex');
      readPci(pci, bytes, 0, bytes.length, 1);
      receiver.received(pci, bytes, 0, 0);
      expect(receiver.next()).toBeNull();
    }
    return { receiver, payloads, failures };
  };

  it('receives messages without flow control', () => {
    const { payloads } = heard('0A100E0102030405', '0A21060708090A0B', '0A220C0D0EFFFFFF');
    expect(payloads).toEqual([hexOf(counting(14))]);
  });

  it('receives single frames, filled with FF', () => {
    expect(heard('0A0362F190FFFFFF').payloads).toEqual(['62F190']);
  });

  it('ends a message whose next frame does not come', () => {
    const { receiver, failures } = heard('0A100E0102030405');
    receiver.expire(1000);
    expect(failures).toEqual(['consecutive_frame_timeout']);
  });

  it('has no message beyond 4095 bytes', () => {
    expect(heard('0A1000000010FFFF').failures).toEqual(['response_too_long']);
  });

  it('is not asked about go-to-sleep commands and short frames', () => {
    const frame = Buffer.from('0A023E00FFFFFFFF', 'hex');
    expect(isLinTransport(frame, 0, 8)).toBe(true);
    expect(isLinTransport(frame, 0, 7)).toBe(false);
    expect(isLinTransport(Buffer.from('00FFFFFFFFFFFFFF', 'hex'), 0, 8)).toBe(false);
  });
});
