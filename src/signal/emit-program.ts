import type { RawRange } from '../database/model.ts';
import { bigintText, doubleText, wordDeclarations } from './emit-words.ts';
import type { MuxCase, MuxNode, MuxSwitch, PlacedSignal } from './mux-tree.ts';
import { exactBits } from './raw-values.ts';

/** Statements of a generated function for signals; the program decides when they run. */
export interface StatementEmitter {
  /** Names that all statements can use, including `view`, `at` and `length`. */
  readonly names: readonly string[];
  /**
   * Statements for signals that are present if the frame is long enough. The first call of a
   * program, even without signals, has `areFirst`.
   */
  statements(signals: readonly PlacedSignal[], functions: FunctionList, areFirst: boolean): string;
}

/** Engines do not optimize large functions. */
const signalsPerFunction = 64;

export class FunctionList {
  readonly #parameters: string;
  readonly #functions: string[] = [];

  constructor(names: readonly string[]) {
    this.#parameters = names.join(', ');
  }

  add(body: string): string {
    const name = `f${this.#functions.length}`;
    this.#functions.push(`function ${name}(${this.#parameters}) {\n${body}\n}`);
    return `${name}(${this.#parameters});`;
  }

  get source(): string {
    return this.#functions.join('\n');
  }
}

export interface Program {
  readonly functions: string;
  readonly body: string;
}

interface Branch extends RawRange {
  readonly call: string;
}

const conditionText = ({ from, to }: RawRange, suffix: string): string =>
  from === to
    ? `pattern === ${from}${suffix}`
    : `pattern >= ${from}${suffix} && pattern <= ${to}${suffix}`;

const searchText = (branches: readonly Branch[], suffix: string): string => {
  const middle = branches[branches.length >> 1];
  if (middle === undefined) return '';
  if (branches.length === 1) return `if (${conditionText(middle, suffix)}) ${middle.call}`;
  const left = searchText(branches.slice(0, branches.length >> 1), suffix);
  const right = searchText(branches.slice(branches.length >> 1), suffix);
  return `if (pattern < ${middle.from}${suffix}) {\n${left}\n} else {\n${right}\n}`;
};

const isApart = (branch: Branch, index: number, branches: readonly Branch[]): boolean => {
  const next = branches[index + 1];
  return next === undefined || branch.to < next.from;
};

const signalsBelow = ({ signals, switches }: MuxNode): number =>
  switches
    .flatMap(({ cases }) => cases)
    .reduce((sum, { node }) => sum + signalsBelow(node), signals.length);

export const emitProgram = (root: MuxNode, task: StatementEmitter): Program => {
  const functions = new FunctionList(task.names);
  const isSmall = signalsBelow(root) <= signalsPerFunction;
  /** Inlines the call where that duplicates nothing and functions stay small. */
  const caseText = ({ ranges, node }: MuxCase): string =>
    isSmall && ranges.length === 1 ? `{\n${nodeText(node)}\n}` : functions.add(nodeText(node));

  const dispatchText = ({ layout, cases }: MuxSwitch): string => {
    const isBig = layout.length > exactBits;
    const suffix = isBig ? 'n' : '';
    const calls = cases.map(caseText);
    const branches = cases
      .flatMap(({ ranges }, at) => ranges.map((range) => ({ ...range, call: calls[at] ?? '' })))
      .sort((one, other) => (one.from < other.from ? -1 : 1));
    // Cases with common patterns are tested one after another.
    const choice = branches.every(isApart)
      ? searchText(branches, suffix)
      : cases
          .map(({ ranges }, at) => {
            const conditions = ranges.map((range) => conditionText(range, suffix));
            return `if (${conditions.join(' || ')}) ${calls[at]}`;
          })
          .join('\n');
    const pattern = isBig ? bigintText(layout) : doubleText(layout, false);
    const read = `${wordDeclarations([layout], layout.endByte)}\nconst pattern = ${pattern};`;
    return `if (length >= ${layout.endByte}) {\n${read}\n${choice}\n}`;
  };

  const nodeText = (node: MuxNode): string => {
    const { signals, switches } = node;
    const parts: string[] = [];
    let from = 0;
    do {
      const some = signals.slice(from, from + signalsPerFunction);
      const text = task.statements(some, functions, node === root && from === 0);
      parts.push(signals.length <= signalsPerFunction ? text : functions.add(text));
      from += signalsPerFunction;
    } while (from < signals.length);
    return [...parts, ...switches.map(dispatchText)].join('\n');
  };

  const body = nodeText(root);
  return { body, functions: functions.source };
};
