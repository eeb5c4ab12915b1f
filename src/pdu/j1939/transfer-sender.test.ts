import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../base/testing/seeded-random.ts';
import { hexDigits } from '../../frame/hex-bytes.ts';
import { frame, Listener } from '../testing/frames.ts';
import { TransferSender } from './transfer-sender.ts';
import { clearToSend, endOfMessage, type TransportFrame } from './transport-frames.ts';

const back = { source: 0x80, destination: 0 };
const pgn = 0xef00;
const payload = Uint8Array.from({ length: 30 }, (_, i) => i + 1);
const text = (sent: TransportFrame | null): string | null =>
  sent && `${hexDigits(sent.id, 8)}#${Buffer.from(sent.data).toString('hex').toUpperCase()}`;

const senderTo = (destination: number, bytes = payload) =>
  new TransferSender({ source: 0, destination, pgn, payload: bytes });
const cts = (packets: number, next: number) => clearToSend(back, pgn, packets, next).data;
const end = endOfMessage(back, pgn, payload.length).data;
const abort = Uint8Array.of(0xff, 2, 0xff, 0xff, 0xff, 0, 0xef, 0);
const receive = (sender: TransferSender, data: Uint8Array, nowUs = 0) =>
  sender.received(data, 0, data.length, nowUs);

describe('a broadcast', () => {
  it('sends its packets 50 ms apart and fills the last one', () => {
    const sender = senderTo(255);
    const frames: (string | null)[] = [];
    let nowUs = 0;
    while (!sender.isOver) {
      frames.push(text(sender.frame));
      sender.sent(nowUs);
      if (sender.isOver) break;
      expect(sender.deadlineUs).toBe(nowUs + 50_000);
      sender.expire(nowUs + 49_999);
      expect(sender.frame).toBeNull();
      nowUs += 50_000;
      sender.expire(nowUs);
    }
    expect(sender.state).toBe('done');
    expect(frames).toEqual([
      '1CECFF00#201E0005FF00EF00',
      '1CEBFF00#0101020304050607',
      '1CEBFF00#0208090A0B0C0D0E',
      '1CEBFF00#030F101112131415',
      '1CEBFF00#04161718191A1B1C',
      '1CEBFF00#051D1EFFFFFFFFFF',
    ]);
  });

  it('ignores what receivers send', () => {
    const sender = senderTo(255);
    receive(sender, abort);
    expect(sender.state).toBe('announcing');
  });
});

describe('a transfer to one address', () => {
  const announced = (): TransferSender => {
    const sender = senderTo(0x80);
    sender.sent(0);
    return sender;
  };
  const sending = (): TransferSender => {
    const sender = announced();
    receive(sender, cts(2, 1));
    return sender;
  };
  const finished = (): TransferSender => {
    const sender = announced();
    receive(sender, cts(5, 1));
    while (sender.frame) sender.sent(0);
    return sender;
  };
  const held = (): TransferSender => {
    const sender = announced();
    receive(sender, cts(0, 255));
    return sender;
  };
  const states = { announcing: () => senderTo(0x80), announced, sending, finished, held };

  /** State, input, next state, frame to send next, and its failure. */
  const transitions: [keyof typeof states, string, string, string | null, string?][] = [
    ['announcing', 'sent', 'waiting', null],
    ['announcing', 'cts 1', 'sending', '1CEB8000#0101020304050607'],
    ['announcing', 'end', 'failed', '1CEC8000#FFFAFFFFFF00EF00', 'bad_answer'],
    ['announcing', 'abort', 'failed', null, 'aborted'],
    ['announced', 'cts 1', 'sending', '1CEB8000#0101020304050607'],
    ['announced', 'cts 5', 'sending', '1CEB8000#051D1EFFFFFFFFFF'],
    ['announced', 'cts 0', 'held', null],
    ['announced', 'cts too many', 'sending', '1CEB8000#051D1EFFFFFFFFFF'],
    ['announced', 'cts beyond', 'failed', '1CEC8000#FF07FFFFFF00EF00', 'bad_answer'],
    ['announced', 'end', 'failed', '1CEC8000#FFFAFFFFFF00EF00', 'bad_answer'],
    ['announced', 'abort', 'failed', null, 'aborted'],
    ['announced', 'T3', 'failed', '1CEC8000#FF03FFFFFF00EF00', 'timeout'],
    ['announced', 'T4', 'waiting', null],
    ['sending', 'sent', 'sending', '1CEB8000#0208090A0B0C0D0E'],
    ['sending', 'cts 1', 'failed', '1CEC8000#FF04FFFFFF00EF00', 'bad_answer'],
    ['sending', 'end', 'failed', '1CEC8000#FFFAFFFFFF00EF00', 'bad_answer'],
    ['sending', 'abort', 'failed', null, 'aborted'],
    ['sending', 'T3', 'sending', '1CEB8000#0101020304050607'],
    ['finished', 'end', 'done', null],
    ['finished', 'end of less', 'failed', '1CEC8000#FFFAFFFFFF00EF00', 'bad_answer'],
    ['finished', 'cts 1', 'sending', '1CEB8000#0101020304050607'],
    ['finished', 'abort', 'failed', null, 'aborted'],
    ['finished', 'T3', 'failed', '1CEC8000#FF03FFFFFF00EF00', 'timeout'],
    ['held', 'cts 1', 'sending', '1CEB8000#0101020304050607'],
    ['held', 'cts 0', 'held', null],
    ['held', 'abort', 'failed', null, 'aborted'],
    ['held', 'T4', 'failed', '1CEC8000#FF03FFFFFF00EF00', 'timeout'],
  ];

  const inputs: Record<string, (sender: TransferSender) => void> = {
    sent: (sender) => sender.sent(0),
    'cts 0': (sender) => receive(sender, cts(0, 255)),
    'cts 1': (sender) => receive(sender, cts(1, 1)),
    'cts 5': (sender) => receive(sender, cts(1, 5)),
    'cts too many': (sender) => receive(sender, cts(255, 5)),
    'cts beyond': (sender) => receive(sender, cts(1, 6)),
    'end of less': (sender) => receive(sender, endOfMessage(back, pgn, payload.length - 1).data),
    end: (sender) => receive(sender, end),
    abort: (sender) => receive(sender, abort),
    T3: (sender) => sender.expire(1_250_000),
    T4: (sender) => sender.expire(1_050_000),
  };

  it.each(transitions)('%s, %s: %s, then sends %s', (state, input, next, sends, failure) => {
    const sender = states[state]();
    inputs[input]?.(sender);
    expect([sender.state, text(sender.frame), sender.failure?.kind]).toEqual([
      next,
      sends,
      failure,
    ]);
  });

  it('ignores answers about another group, and short ones', () => {
    const sender = announced();
    receive(sender, clearToSend(back, 0xee00, 1, 1).data);
    receive(sender, cts(1, 1).subarray(0, 7));
    expect(sender.state).toBe('waiting');
  });

  it('is understood by the listener for any request of the receiver', () => {
    const random = seededRandom(1);
    for (let run = 0; run < 300; run++) {
      const bytes = Uint8Array.from(
        { length: 9 + Math.floor(random() * 1777) },
        () => random() * 256,
      );
      const sender = senderTo(0x80, bytes);
      const listener = new Listener();
      const packets = Math.ceil(bytes.length / 7);
      let wanted = 1;
      const hear = ({ id, data }: TransportFrame): void => {
        listener.hear({ ...frame('', 1), id, data });
      };
      while (!sender.isOver) {
        for (; sender.frame; sender.sent(0)) hear(sender.frame);
        const isEnd = wanted > packets;
        const count = Math.min(1 + Math.floor(random() * 16), packets - wanted + 1);
        const answer = isEnd
          ? endOfMessage(back, pgn, bytes.length)
          : clearToSend(back, pgn, count, wanted);
        hear(answer);
        receive(sender, answer.data);
        // Some packets are requested again.
        wanted += random() < 0.2 ? Math.floor(random() * count) : count;
      }
      expect(sender.state).toBe('done');
      expect(listener.pdus.map(({ payload: found }) => found)).toEqual([bytes]);
      expect(listener.pdus[0]?.acknowledged).toBe(true);
    }
  });
});
