import { protectedId } from '../../../frame/lin.ts';
import { distinctNames } from '../../distinct-names.ts';
import type { LinFrame } from '../../lin-model.ts';
import type { Message, Signal } from '../../model.ts';
import { OverlapFinder } from '../../overlap.ts';
import { type FileProblems, shown } from '../../text/problems.ts';
import type { DraftEventFrame, DraftFrame, DraftPosition, DraftSignal } from '../read/draft.ts';
import { buildSignal, type NodeNames, type UnplacedSignal } from './build-signals.ts';
import type { ValueBuilder } from './build-values.ts';
import type { Names } from './names.ts';
import type { LinVersion } from './version.ts';

const firstReservedId = 0x3c;
const maxLength = 8;
const lengthRequiredSince: LinVersion = 21;

/** Length of frames up to LIN 2.0 that do not say theirs. */
const lengthById = (id: number): number => (id < 0x20 ? 2 : id < 0x30 ? 4 : 8);

interface Parts {
  readonly signals: Names<DraftSignal>;
  readonly nodes: NodeNames;
  readonly values: ValueBuilder;
  readonly language: LinVersion;
  readonly checksum: (publisher: string | null, signals: readonly Signal[]) => LinFrame['checksum'];
  readonly problems: FileProblems;
}

/** Signal and messages as the model has them, from frames as written. */
export class FrameBuilder {
  readonly #parts: Parts;
  readonly #built = new Map<string, UnplacedSignal>();
  readonly #overlaps = new OverlapFinder();

  constructor(parts: Parts) {
    this.#parts = parts;
    for (const signal of parts.signals.all) {
      const { nodes, values, problems } = parts;
      this.#built.set(signal.name, buildSignal(signal, nodes, values, problems));
    }
  }

  unconditional(frame: DraftFrame): Message {
    const { nodes, problems } = this.#parts;
    if (frame.id >= firstReservedId) {
      problems.warn(
        'frame_id_reserved',
        frame.idAt,
        `Frame ${shown(frame.name)} has the identifier ${frame.id}, which is not for signals`,
        'kept',
      );
    }
    const publisher = frame.publisher === null ? null : nodes.find(frame.publisher);
    const signals = this.#signals(frame, this.#lengthOf(frame));
    for (const { at, name } of frame.signals) this.#checkPublisher(at, name, publisher);
    return this.#message(frame, signals, {
      kind: 'unconditional',
      publisher,
      checksum: this.#parts.checksum(publisher, signals),
      frames: [],
      collisionTable: null,
    });
  }

  diagnostic(frame: DraftFrame): Message {
    const publisher = frame.id === firstReservedId ? this.#parts.nodes.master : null;
    return this.#message(frame, this.#signals(frame, frame.length ?? maxLength), {
      kind: 'diagnostic',
      publisher,
      checksum: 'classic',
      frames: [],
      collisionTable: null,
    });
  }

  /**
   * The answer of a slave begins with the protected identifier of one of the frames, followed
   * by the signals of that frame. So the first byte is a switch.
   */
  eventTriggered(
    frame: DraftEventFrame,
    members: readonly Message[],
    collisionTable: string | null,
  ): Message {
    const switchName = 'PID';
    const selector: Signal = {
      ...plainByte,
      name: switchName,
      isSwitch: true,
      values: members.map(({ id, name }) => ({ raw: BigInt(protectedId(id)), text: name })),
    };
    const signals = members.flatMap(({ id, signals: own }) =>
      own
        .filter(({ startBit }) => startBit >= 8)
        .map((signal) => {
          this.#parts.problems.keepSignal(frame.at);
          const pid = BigInt(protectedId(id));
          const multiplexing = { switch: switchName, ranges: [{ from: pid, to: pid }] };
          return { ...signal, multiplexing };
        }),
    );
    const lengths = members.map(({ length }) => length);
    return this.#message({ ...frame, length: Math.max(1, ...lengths) }, [selector, ...signals], {
      kind: 'event_triggered',
      publisher: null,
      checksum: members[0]?.lin?.checksum ?? 'enhanced',
      frames: members.map(({ name }) => name),
      collisionTable,
    });
  }

  #message(
    { name, id, length }: Pick<DraftFrame, 'name' | 'id' | 'length'>,
    signals: readonly Signal[],
    lin: LinFrame,
  ): Message {
    const names = distinctNames(signals.map((signal) => signal.name));
    return {
      name,
      id,
      extended: false,
      fd: false,
      brs: false,
      length: length ?? this.#lengthOf({ name, id, length, at: 0 }),
      senders: lin.publisher === null ? [] : [lin.publisher],
      cycleTimeMs: null,
      signals: signals.map((signal, index) => ({ ...signal, name: names[index] ?? signal.name })),
      comment: null,
      attributes: {},
      lin,
    };
  }

  #lengthOf({ at, name, id, length }: Pick<DraftFrame, 'at' | 'name' | 'id' | 'length'>): number {
    const { language, problems } = this.#parts;
    if (length !== null && length >= 1 && length <= maxLength) return length;
    if (length !== null || (language >= lengthRequiredSince && at > 0)) {
      problems.warn(
        'frame_length_irregular',
        at,
        length === null
          ? `Frame ${shown(name)} has no length`
          : `Frame ${shown(name)} has ${length} bytes`,
        length === null ? `treated as ${lengthById(id)} bytes, by its identifier` : 'kept',
      );
    }
    return length ?? lengthById(id);
  }

  #signals(frame: DraftFrame, length: number): Signal[] {
    const { problems } = this.#parts;
    const placed: Signal[] = [];
    const positions: DraftPosition[] = [];
    for (const position of frame.signals) {
      if (this.#parts.signals.find(position) === null) continue;
      const signal = this.#built.get(position.name);
      if (signal === undefined) continue;
      this.#checkPosition(position, signal, length, frame.name);
      placed.push({ ...signal, startBit: position.offset });
      positions.push(position);
    }
    const [overlap] = this.#overlaps.find({ length, signals: placed });
    if (overlap !== undefined) {
      const { at, name } = positions[overlap.signal] ?? frame;
      const other = positions[overlap.other]?.name ?? '';
      problems.refuse(at, `signals ${shown(name)} and ${shown(other)} of a frame overlap`);
    }
    return placed;
  }

  #checkPosition(
    { at, name, offset }: DraftPosition,
    { length: width, array }: UnplacedSignal,
    length: number,
    frame: string,
  ): void {
    const { problems } = this.#parts;
    if (offset + width > length * 8) {
      problems.refuse(
        at,
        `signal ${shown(name)} ends at bit ${offset + width}, and frame ${shown(frame)} has ${length} bytes`,
      );
    }
    if (array !== undefined && offset % 8 !== 0) {
      problems.warn(
        'array_unaligned',
        at,
        `Byte array ${shown(name)} starts at bit ${offset}, inside a byte`,
        'kept',
      );
    }
    if (array === undefined && (offset % 8) + width > 16) {
      problems.warn(
        'signal_scattered',
        at,
        `Signal ${shown(name)} crosses more than one byte boundary`,
        'kept',
      );
    }
  }

  #checkPublisher(at: number, name: string, publisher: string | null): void {
    const { signals, problems } = this.#parts;
    const own = signals.get(name)?.publisher?.name;
    if (own === undefined || publisher === null || own === publisher) return;
    problems.warn(
      'publisher_mismatch',
      at,
      `${shown(own)} publishes signal ${shown(name)}, and ${shown(publisher)} its frame`,
      'that of the frame used',
    );
  }
}

const plainByte: Signal = {
  name: '',
  startBit: 0,
  length: 8,
  byteOrder: 'intel',
  kind: 'unsigned',
  factor: '1',
  offset: '0',
  minimum: null,
  maximum: null,
  unit: '',
  receivers: [],
  isSwitch: false,
  multiplexing: null,
  values: [],
  initialRaw: null,
  comment: null,
  attributes: {},
};

/** Diagnostic frames are the same in every network, and many files do not list them. */
export const standardDiagnostics = (master: string | null): Message[] =>
  (['MasterReq', 'SlaveResp'] as const).map((name, index) => ({
    name,
    id: firstReservedId + index,
    extended: false,
    fd: false,
    brs: false,
    length: maxLength,
    senders: index === 0 && master !== null ? [master] : [],
    cycleTimeMs: null,
    signals: Array.from({ length: maxLength }, (_, byte) => ({
      ...plainByte,
      name: `${name}B${byte}`,
      startBit: byte * 8,
      initialRaw: '0',
    })),
    comment: null,
    attributes: {},
    lin: {
      kind: 'diagnostic',
      publisher: index === 0 ? master : null,
      checksum: 'classic',
      frames: [],
      collisionTable: null,
    },
  }));
