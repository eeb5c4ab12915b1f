import type { Signal } from '../../model.ts';
import { type FileProblems, shown } from '../../text/problems.ts';
import type { DraftSignal, Reference } from '../read/draft.ts';
import type { ValueBuilder } from './build-values.ts';

const maxScalarBits = 16;
const maxArrayBits = 64;

/** Signals without position: a signal can be in several frames, and twice in one. */
export type UnplacedSignal = Omit<Signal, 'startBit'>;

const checkShape = ({ at, name, width, initial }: DraftSignal, problems: FileProblems): void => {
  if (typeof initial === 'number') {
    if (width < 1 || width > maxScalarBits) {
      problems.refuse(
        at,
        `signal ${shown(name)} has ${width} bits; 1 to ${maxScalarBits} are possible`,
      );
    }
    return;
  }
  if (width < 8 || width > maxArrayBits || width % 8 !== 0) {
    problems.refuse(
      at,
      `byte array ${shown(name)} has ${width} bits; whole bytes up to 8 are possible`,
    );
  }
  if (initial.length !== width / 8) {
    problems.refuse(
      at,
      `byte array ${shown(name)} has ${width / 8} bytes and ${initial.length} initial values`,
    );
  }
};

/** The raw value that a signal starts with, cut to its bits. */
const initialRaw = (signal: DraftSignal, problems: FileProblems): string => {
  const { name, width, initial, initialAt } = signal;
  const [values, bits] = typeof initial === 'number' ? [[initial], width] : [initial, 8];
  if (values.some((value) => value < 0 || value >= 2 ** bits)) {
    problems.warn(
      'initial_out_of_range',
      initialAt,
      `The initial value of ${shown(name)} does not fit into ${bits} bits`,
      'cut to them',
    );
  }
  let raw = 0n;
  for (const value of [...values].reverse()) {
    raw = (raw << BigInt(bits)) | BigInt.asUintN(bits, BigInt(value));
  }
  return raw.toString();
};

export interface NodeNames {
  readonly master: string | null;
  /** Returns the name of a node, or null for one that does not exist. */
  find(reference: Reference): string | null;
}

export const buildSignal = (
  draft: DraftSignal,
  nodes: NodeNames,
  values: ValueBuilder,
  problems: FileProblems,
): UnplacedSignal => {
  checkShape(draft, problems);
  const receivers = draft.subscribers.map((reference) => nodes.find(reference));
  return {
    name: draft.name,
    length: draft.width,
    byteOrder: 'intel',
    kind: 'unsigned',
    ...values.valuesOf(draft),
    receivers: receivers.filter((name) => name !== null),
    isSwitch: false,
    multiplexing: null,
    initialRaw: initialRaw(draft, problems),
    comment: null,
    attributes: {},
  };
};
