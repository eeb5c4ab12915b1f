import type { DiagnosticCode } from '../../diagnostic-codes.ts';
import type { Message, Node } from '../../model.ts';
import { numberOf } from '../message-id.ts';
import type { Draft, Notes } from '../read/draft.ts';
import { type DbcProblems, shown } from '../read/problems.ts';

/** Reports what is said about things that are not in the file. */
export const checkReferences = (draft: Draft, problems: DbcProblems): void => {
  const signalsOf = new Map<number, Set<string>>();
  for (const { number, signals } of draft.messages) {
    const names = signalsOf.get(number) ?? new Set<string>();
    for (const { name } of signals) names.add(name);
    signalsOf.set(number, names);
  }
  for (const [number, notes] of draft.messageNotes) {
    const signals = signalsOf.get(number);
    if (signals === undefined) {
      if (!draft.independent.has(number)) report(problems, notes, `message ${number}`);
      continue;
    }
    for (const [name, signalNotes] of notes.signals) {
      if (!signals.has(name)) report(problems, signalNotes, `signal ${name} of message ${number}`);
    }
  }
  checkNamed(draft.nodeNotes, draft.nodes, 'node', problems);
  checkNamed(draft.variableNotes, draft.variables, 'environment variable', problems);
};

const checkNamed = (
  notes: ReadonlyMap<string, Notes>,
  known: readonly { readonly name: string }[],
  what: string,
  problems: DbcProblems,
): void => {
  const names = new Set(known.map(({ name }) => name));
  for (const [name, note] of notes) if (!names.has(name)) report(problems, note, `${what} ${name}`);
};

const report = (problems: DbcProblems, { offset }: Notes, what: string): void => {
  problems.warn('reference_unknown', offset, `There is no ${shown(what)}`, 'left out');
};

/** Reports identifiers and names that occur more than once; all are kept, and the first ones count. */
export const checkDuplicates = (
  draft: Draft,
  messages: readonly Message[],
  nodes: readonly Node[],
  problems: DbcProblems,
): void => {
  const numbers = new Set<number>();
  messages.forEach((message, index) => {
    const at = draft.messages[index]?.at ?? 0;
    const number = numberOf(message);
    if (numbers.has(number)) {
      const kind = message.extended ? 'extended' : 'standard';
      repeated(problems, 'id_repeated', at, `The ${kind} identifier 0x${message.id.toString(16)}`);
    }
    numbers.add(number);
    const { name, sharedName } = message;
    if (sharedName !== undefined) renamed(problems, at, `Message ${shown(sharedName)}`, name);
    message.signals.forEach((signal, signalIndex) => {
      if (signal.sharedName === undefined) return;
      const place = draft.messages[index]?.signals[signalIndex]?.at ?? at;
      const what = `Signal ${shown(signal.sharedName)} of ${shown(name)}`;
      renamed(problems, place, what, signal.name);
    });
  });
  const nodeNames = new Set<string>();
  nodes.forEach(({ name }, index) => {
    if (nodeNames.has(name)) {
      repeated(problems, 'name_repeated', draft.nodes[index]?.at ?? 0, `Node ${name}`);
    }
    nodeNames.add(name);
  });
};

const repeated = (problems: DbcProblems, code: DiagnosticCode, at: number, what: string): void => {
  problems.warn(code, at, `${shown(what)} occurs more than once`, 'all kept; the first one counts');
};

const renamed = (problems: DbcProblems, at: number, what: string, name: string): void => {
  problems.warn(
    'name_repeated',
    at,
    `${what} occurs more than once`,
    `the first one counts; this one is called ${shown(name)}`,
  );
};
