import type { FakeClock } from '../../../base/clock/testing/fake-clock.ts';
import type { FrameReceiver } from '../../../modbus/framing/framing.ts';
import { HandlerBench } from '../../../modbus/server/testing/handler-bench.ts';
import {
  framingFor,
  type ScriptedLink,
  ScriptedTransport,
} from '../../../modbus/session/testing/scripted-transport.ts';

export type UnitMood = 'answers' | 'refuses' | 'silent';

/** Requests to one register, as its unit sees them. */
export interface RegisterTally {
  /** Complete requests. */
  reached: number;
  /** Completed requests whose response was sent over an open link. */
  confirmed: number;
  /** The same for exceptions. */
  refused: number;
}

const readFunction = 3;
const writeFunctions: ReadonlySet<number> = new Set([6, 16, 22]);
const deviceFailure = 4;
const answerMs = 2;

/** Units on one link that only count the requests they receive. */
export class TalliedUnits {
  readonly transport = new ScriptedTransport('tcp');
  readonly moods = new Map<number, UnitMood>();
  readonly #units: ReadonlyMap<number, HandlerBench>;
  readonly #clock: FakeClock;
  #reads = new Map<string, RegisterTally>();
  #writes = new Map<string, RegisterTally>();

  constructor(clock: FakeClock, units: Iterable<number>) {
    this.#clock = clock;
    this.#units = new Map(Array.from(units, (unit) => [unit, new HandlerBench()]));
    this.connects();
  }

  connects(): void {
    const { transport } = this;
    transport.accepts(this.#clock, (link) => {
      transport.links.splice(0, transport.links.length - 1);
      this.#serve(link);
    });
  }

  /** Accepts no connections. */
  disconnects(): void {
    this.transport.refuses(this.#clock);
    this.cut();
  }

  /** Closes the current connection. */
  cut(): void {
    for (const link of this.transport.links) link.lose();
    this.transport.links.length = 0;
  }

  get openLinks(): number {
    return this.transport.links.filter(({ isClosed }) => !isClosed).length;
  }

  /** Reads of a register since the last call of `forget`. */
  reads(unit: number, address: number): RegisterTally {
    return tallyOf(this.#reads, unit, address);
  }

  writes(unit: number, address: number): RegisterTally {
    return tallyOf(this.#writes, unit, address);
  }

  forget(): void {
    this.#reads = new Map();
    this.#writes = new Map();
  }

  register(unit: number, address: number): number {
    return this.#units.get(unit)?.model.tables.holding.get(address) ?? 0;
  }

  put(unit: number, address: number, value: number): void {
    this.#units.get(unit)?.model.tables.holding.put(address, value);
  }

  #serve(link: ScriptedLink): void {
    const receiver: FrameReceiver = {
      frame: (transaction, unit, bytes, at, length) => {
        const pdu = Buffer.from(bytes.subarray(at, at + length));
        const tally = this.#tallyFor(unit, pdu);
        if (tally) tally.reached += 1;
        const answer = this.#answer(unit, pdu);
        if (answer === undefined) return;
        const into = new Uint8Array(framing.maxLength);
        const end = framing.encode(into, 0, transaction, unit, answer, 0, answer.length);
        this.#clock.after(answerMs, () => {
          if (link.isClosed) return;
          if (tally) tally[(answer[0] ?? 0) > 0x80 ? 'refused' : 'confirmed'] += 1;
          link.receive(into.slice(0, end));
        });
      },
      problem: () => undefined,
    };
    const framing = framingFor('tcp', 'server', receiver);
    link.onWrite = (bytes) => {
      link.written.length = 0;
      framing.push(bytes, this.#clock.monotonicUs());
    };
  }

  #answer(unit: number, pdu: Buffer): Uint8Array | undefined {
    const mood = this.moods.get(unit) ?? 'answers';
    if (mood === 'silent') return undefined;
    if (mood === 'refuses') return Uint8Array.of((pdu[0] ?? 0) | 0x80, deviceFailure);
    const bench = this.#units.get(unit);
    const answer = bench?.ask(pdu.toString('hex'));
    if (bench) bench.written.length = 0;
    return answer === undefined ? undefined : Buffer.from(answer, 'hex');
  }

  #tallyFor(unit: number, pdu: Buffer): RegisterTally | undefined {
    const address = pdu.readUInt16BE(1);
    if (pdu[0] === readFunction) return this.reads(unit, address);
    return writeFunctions.has(pdu[0] ?? 0) ? this.writes(unit, address) : undefined;
  }
}

const tallyOf = (tallies: Map<string, RegisterTally>, unit: number, address: number) => {
  const key = `${unit} ${address}`;
  const tally = tallies.get(key) ?? { reached: 0, confirmed: 0, refused: 0 };
  tallies.set(key, tally);
  return tally;
};
