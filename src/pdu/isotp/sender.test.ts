import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { LinSender } from './lin-transport.ts';
import { counting, drawnTable, hexOf, SenderRig } from './testing/rigs.ts';

/** 30 bytes have a first frame and 4 consecutive ones; blocks have 2, STmin 0 or 5 ms. */
const states: Record<string, (rig: SenderRig) => unknown> = {
  idle: () => {},
  'single to send': (rig) => rig.start(7),
  'single at port': (rig) => rig.start(7).next(),
  'first to send': (rig) => rig.start(30),
  'first at port': (rig) => rig.start(30).next(),
  waiting: (rig) => rig.start(30).next() && rig.sent(),
  sending: (rig) => rig.start(30).pump().flow('300200'),
  'one at port': (rig) => rig.start(30).pump().flow('300200').next(),
  'block at port': (rig) => rig.start(30).pump().flow('300200').next() && rig.next(),
  'with continue': (rig) => {
    rig.start(30).pump().flow('300200').next();
    rig.next();
    rig.flow('300200');
  },
  pausing: (rig) => rig.start(30).pump().flow('300205').next() && rig.sent(),
  'last at port': (rig) => {
    rig.start(30).pump().flow('300200').pump().flow('300200').next();
    rig.sent().next();
  },
  done: (rig) => rig.start(7).pump(),
  failed: (rig) => rig.start(30).pump().flow('320000'),
};

const inputs: Record<string, (rig: SenderRig) => unknown> = {
  start: (rig) => rig.start(9),
  next: (rig) => rig.next(),
  sent: (rig) => rig.sent(),
  continue: (rig) => rig.flow('300200'),
  wait: (rig) => rig.flow('310000'),
  overflow: (rig) => rig.flow('320000'),
  reserved: (rig) => rig.flow('330000'),
  dropped: (rig) => rig.sender.dropped(),
  expire: (rig) => rig.expire(),
  cancel: (rig) => rig.sender.cancel(),
};

const shortFailure = {
  flow_control_timeout: 'N_Bs',
  flow_control_overflow: 'overflow',
  send_timeout: 'N_As',
  too_many_waits: 'waits',
  dropped: 'dropped',
} as const;

const shortFinding: Record<string, string> = {
  unexpected_flow_control: '!',
  bad_flow_status: '?',
  reserved_st_min: '*',
};

const resultOf = ({ sender, findings, frames }: SenderRig, before: number): string => {
  const { state, failure } = sender;
  const end = failure ? `failed ${shortFailure[failure]}` : state;
  const frame = frames.length > before ? ' +1' : '';
  return `${end}${frame}${findings.map((code) => shortFinding[code]).join('')}`;
};

/**
 * `+1`: a frame for the port. `!`: finding of an unexpected flow control. `?`: finding of a
 * reserved flow status. A continue that comes before the report of the frame is kept.
 */
const table = `
state           start  next         sent      continue  wait      overflow         reserved   dropped         expire       cancel
idle            first  idle         idle      idle      idle      idle             idle       idle            idle         idle
single to send  first  first +1     first     first!    first!    first!           first?     first           failed N_As  idle
single at port  first  first        done      first!    first!    first!           first?     failed dropped  failed N_As  idle
first to send   first  first +1     first     first!    first!    first!           first?     first           failed N_As  idle
first at port   first  first        waiting   first     first     failed overflow  first?     failed dropped  failed N_As  idle
waiting         first  waiting      waiting   sending   waiting   failed overflow  waiting?   waiting         failed N_Bs  idle
sending         first  sending +1   sending   sending!  sending!  failed overflow  sending?   sending         failed N_As  idle
one at port     first  sending +1   sending   sending!  sending!  failed overflow  sending?   failed dropped  failed N_As  idle
block at port   first  sending      sending   sending   sending   failed overflow  sending?   failed dropped  failed N_As  idle
with continue   first  sending      sending   sending!  sending!  failed overflow  sending?   failed dropped  failed N_As  idle
pausing         first  pausing      pausing   pausing!  pausing!  failed overflow  pausing?   pausing         sending      idle
last at port    first  sending      done      sending!  sending!  failed overflow  sending?   failed dropped  failed N_As  idle
done            first  done         done      done      done      done             done       done            done         idle
failed          first  failed overflow  failed overflow  failed overflow  failed overflow  failed overflow  failed overflow  failed overflow  failed overflow  idle
`;

describe('a sender in each state', () => {
  it.each(drawnTable(table))('$state, after $input: $expected', ({ state, input, expected }) => {
    const rig = new SenderRig();
    states[state]?.(rig);
    expect(rig.findings).toEqual([]);
    const before = rig.frames.length;
    inputs[input]?.(rig);
    expect(resultOf(rig, before)).toBe(expected);
  });

  it('has all states and inputs in the table', () => {
    const rows = drawnTable(table);
    expect(rows).toHaveLength(Object.keys(states).length * Object.keys(inputs).length);
    expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(Object.keys(states)));
    expect(new Set(rows.map(({ input }) => input))).toEqual(new Set(Object.keys(inputs)));
  });
});

describe('flow control of a sender', () => {
  it('may come before the report that the frame was sent', () => {
    const rig = new SenderRig().start(30);
    rig.next();
    rig.flow('300205');
    expect(rig.next()).toBeNull();
    rig.sent();
    expect(rig.sender.state).toBe('sending');
    expect(rig.next()?.data[0]).toBe(0x21);
  });

  it('counts from the first continue of a message', () => {
    const rig = new SenderRig().start(100).pump().flow('300200').pump();
    rig.flow('30FF7F').pump();
    expect(rig.sender.state).toBe('waiting');
    expect(rig.frames).toHaveLength(5);
    rig.start(30).pump().flow('300000').pump();
    expect(rig.sender.state).toBe('done');
  });

  it('ends a message with more waits in a row than the limit', () => {
    const rig = new SenderRig({ waitMax: 2 }).start(30).pump();
    rig.flow('310000').flow('310000');
    expect(rig.sender.state).toBe('waiting');
    rig.flow('310000');
    expect(rig.sender.failure).toBe('too_many_waits');
  });

  it('counts waits from 0 in each block', () => {
    const rig = new SenderRig({ waitMax: 1 }).start(30).pump();
    rig.flow('310000').flow('300100').pump().flow('310000');
    expect(rig.sender.state).toBe('waiting');
  });

  it('counts a wait that comes before the report that the frame was sent', () => {
    const rig = new SenderRig({ waitMax: 1 }).start(30);
    rig.next();
    rig.flow('310000').sent().flow('310000');
    expect(rig.sender.failure).toBe('too_many_waits');
  });

  it('waits N_Bs again after each wait, any number of times without a limit', () => {
    const rig = new SenderRig({ nBsUs: 1000 }).start(30).pump();
    for (let i = 0; i < 100; i++) rig.wait(999).flow('310000');
    expect(rig.sender.state).toBe('waiting');
    rig.wait(999);
    expect(rig.sender.state).toBe('waiting');
    rig.wait(1);
    expect(rig.sender.failure).toBe('flow_control_timeout');
  });
});

describe('STmin of a sender', () => {
  it('runs from the end of a consecutive frame to the next one', () => {
    const rig = new SenderRig().start(30).pump().flow('300005');
    expect(rig.next()).not.toBeNull();
    expect(rig.next()).toBeNull();
    rig.wait(250).sent().wait(4999);
    expect(rig.next()).toBeNull();
    rig.wait(1);
    expect(rig.next()).not.toBeNull();
  });

  it('runs across a flow control, too', () => {
    const rig = new SenderRig().start(30).pump().flow('300105').pump();
    rig.wait(2000).flow('300105');
    expect(rig.sender.state).toBe('pausing');
    expect(rig.sender.deadlineUs).toBe(rig.nowUs + 3000);
    rig.wait(6000);
    expect(rig.next()).not.toBeNull();
  });

  it('is over if the flow control comes later', () => {
    const rig = new SenderRig().start(30).pump().flow('300105').pump();
    rig.wait(6000).flow('300105');
    expect(rig.sender.state).toBe('sending');
  });
});

describe('frames of a sender at the port', () => {
  it('are up to 8 without STmin, and never beyond the block', () => {
    const rig = new SenderRig().start(1000).pump().flow('300A00');
    while (rig.next());
    expect(rig.frames).toHaveLength(1 + 8);
    rig.sent();
    expect(rig.next()).not.toBeNull();
    expect(rig.next()).toBeNull();
    rig.sent().next();
    for (let i = 0; i < 8; i++) rig.sent().next();
    expect(rig.frames).toHaveLength(1 + 10);
    expect(rig.sender.state).toBe('waiting');
  });

  it('are sent again as they were if the port had no room', () => {
    const rig = new SenderRig().start(30);
    rig.next();
    rig.sender.putBack();
    rig.sent().pump().flow('300000').next();
    rig.next();
    rig.sender.putBack();
    rig.sent();
    expect(rig.sender.state).toBe('sending');
    rig.pump();
    expect(rig.sender.state).toBe('done');
    const sequences = rig.frames.map((text) => text.slice(4, 6));
    expect(sequences).toEqual(['10', '10', '21', '22', '22', '23', '24']);
    expect(rig.frames[3]).toBe(rig.frames[4]);
  });

  it('end a message only after a frame that the port had no room for', () => {
    const rig = new SenderRig().start(20).pump().flow('300000');
    rig.next();
    rig.next();
    rig.sender.putBack();
    rig.sent();
    expect(rig.sender.state).toBe('sending');
    rig.pump();
    expect(rig.sender.state).toBe('done');
  });

  it('of a cancelled message are not taken for those of the next one', () => {
    const rig = new SenderRig().start(30).pump().flow('300000');
    rig.next();
    rig.next();
    rig.start(30);
    rig.next();
    rig.sent().sent();
    expect(rig.sender.state).toBe('first');
    rig.sent();
    expect(rig.sender.state).toBe('waiting');
  });

  it('are forgotten when the lane was closed', () => {
    const rig = new SenderRig().start(30);
    rig.next();
    rig.sender.reset();
    rig.start(30);
    rig.next();
    rig.sent();
    expect(rig.sender.state).toBe('waiting');
  });

  it('must be sent within N_As of the one before', () => {
    const rig = new SenderRig({ nAsUs: 1000 }).start(100).pump().flow('300000');
    rig.next();
    rig.next();
    rig.wait(999).sent().wait(999).sent();
    expect(rig.sender.state).toBe('sending');
    rig.wait(1000);
    expect(rig.sender.failure).toBe('send_timeout');
  });
});

describe('a sender', () => {
  it('refuses an empty message, and one beyond its limit', () => {
    const rig = new SenderRig({ maxLength: 7 });
    expect(() => rig.start(0)).toThrow(BusbarError);
    expect(() => rig.start(8)).toThrow('1 to 7 bytes, not 8');
    expect(rig.start(7).pump().sender.state).toBe('done');
  });

  it('sends a million bytes', () => {
    const rig = new SenderRig({ fd: true, txDl: 64 }).start(1_000_000).pump();
    expect(rig.frames[0]?.slice(0, 16)).toBe('7E0#1000000F4240');
    rig.flow('300000').pump();
    const bytes = rig.frames.slice(1).map((text) => text.slice(6));
    expect(rig.frames[0]?.slice(16) + bytes.join('')).toBe(hexOf(counting(1_000_000)));
  });
});

describe('a sender on LIN', () => {
  it('sends frames of 8 bytes without flow control, one in each slot', () => {
    const sender = new LinSender({ id: 0x3c, nad: 0x0a, nAsUs: 1_000_000 });
    const frames: string[] = [];
    sender.start(counting(14), 0);
    for (let slot = 0; slot < 4; slot++) {
      const frame = sender.next(slot);
      if (!frame) continue;
      expect(frame).toMatchObject({ id: 0x3c, dlc: 8, length: 8, flags: 0 });
      frames.push(hexOf(frame.data.subarray(0, 8)));
      expect(sender.next(slot)).toBeNull();
      sender.sent(slot);
    }
    expect(frames).toEqual(['0A100E0102030405', '0A21060708090A0B', '0A220C0D0EFFFFFF']);
    expect(sender.state).toBe('done');
  });

  it('sends 6 bytes in a single frame', () => {
    const sender = new LinSender({ id: 0x3c, nad: 0x0a, nAsUs: 1_000_000 });
    sender.start(counting(6), 0);
    expect(hexOf(sender.next(0)?.data.subarray(0, 8) ?? counting(0))).toBe('0A06010203040506');
  });

  it('has no message beyond 4095 bytes', () => {
    const sender = new LinSender({ id: 0x3c, nad: 0x0a, nAsUs: 1_000_000 });
    expect(() => sender.start(counting(4096), 0)).toThrow('1 to 4095 bytes');
  });
});
