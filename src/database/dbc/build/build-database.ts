import type { DiagnosticCode } from '../../diagnostic-codes.ts';
import type { Database, Message, Node } from '../../model.ts';
import { type FileProblems, shown } from '../../text/problems.ts';
import { KnownAttributes } from '../known-attributes.ts';
import { numberOf, referenceOf } from '../message-id.ts';
import { type Draft, type DraftRelation, type Notes, partsOfKey } from '../read/draft.ts';
import type {
  DbcEnvironmentVariable,
  DbcRelationAttribute,
  DbcSignalGroup,
  DbcSpecifics,
} from '../specifics.ts';
import { AttributeValues } from './attribute-values.ts';
import { buildNodes, fullName, MessageBuilder } from './build-messages.ts';

const checkReferences = (draft: Draft, used: ReadonlySet<Notes>, problems: FileProblems): void => {
  const known = new Set(draft.independent);
  for (const { number } of draft.messages) known.add(number);
  // A message is reported once, where it is named first.
  const unknown = new Map<number, Notes>();
  const add = (number: number, notes: Notes): void => {
    const first = unknown.get(number);
    if (first === undefined || notes.offset < first.offset) unknown.set(number, notes);
  };
  for (const [number, notes] of draft.messageNotes) if (!known.has(number)) add(number, notes);
  for (const [key, notes] of draft.signalNotes) {
    if (used.has(notes)) continue;
    const [number, name] = partsOfKey(key);
    if (!known.has(number)) add(number, notes);
    else if (!draft.independent.has(number)) {
      report(problems, notes, `signal ${name} of message ${number}`);
    }
  }
  for (const [number, notes] of unknown) report(problems, notes, `message ${number}`);
  checkNamed(draft.nodeNotes, draft.nodes, 'node', problems);
  checkNamed(draft.variableNotes, draft.variables, 'environment variable', problems);
};

const checkNamed = (
  notes: ReadonlyMap<string, Notes>,
  known: readonly { readonly name: string }[],
  what: string,
  problems: FileProblems,
): void => {
  const names = new Set(known.map(({ name }) => name));
  for (const [name, note] of notes) if (!names.has(name)) report(problems, note, `${what} ${name}`);
};

const report = (problems: FileProblems, { offset }: Notes, what: string): void => {
  problems.warn('reference_unknown', offset, `${shown(what)} does not exist`, 'ignored');
};

/** Reports duplicate identifiers and names. All are kept; lookups find the first one. */
const checkDuplicates = (
  draft: Draft,
  messages: readonly Message[],
  nodes: readonly Node[],
  problems: FileProblems,
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

const repeated = (problems: FileProblems, code: DiagnosticCode, at: number, what: string): void => {
  problems.warn(
    code,
    at,
    `${shown(what)} occurs more than once`,
    'all kept; the first one is used',
  );
};

const renamed = (problems: FileProblems, at: number, what: string, name: string): void => {
  problems.warn(
    'name_repeated',
    at,
    `${what} occurs more than once`,
    `the first one is used; this one is renamed ${shown(name)}`,
  );
};

/** Reports messages that are matched by J1939 parameter group, and those that share a group. */
const checkGroups = (draft: Draft, messages: readonly Message[], problems: FileProblems): void => {
  const atOf = (index: number): number => draft.messages[index]?.at ?? 0;
  const firsts = new Map<number, Message>();
  let count = 0;
  let firstAt = 0;
  messages.forEach((message, index) => {
    const { pgn } = message;
    if (pgn === undefined) return;
    if (count === 0) firstAt = atOf(index);
    count += 1;
    const first = firsts.get(pgn);
    if (first === undefined) {
      firsts.set(pgn, message);
      return;
    }
    problems.warn(
      'pgn_repeated',
      atOf(index),
      `Messages ${shown(message.name)} and ${shown(first.name)} have the same parameter group 0x${pgn.toString(16)}`,
      `frames with its own addresses are decoded as ${shown(message.name)}, all others as ${shown(first.name)}`,
    );
  });
  if (count === 0) return;
  problems.info(
    'matched_by_pgn',
    firstAt,
    `${count} ${count === 1 ? 'message is a J1939 parameter group' : 'messages are J1939 parameter groups'}`,
    'matched by PGN, regardless of priority and addresses',
  );
};

export const buildDatabase = (draft: Draft, problems: FileProblems): Database<DbcSpecifics> => {
  const values = new AttributeValues(draft, problems);
  const attributes = values.attributesOf('database', draft.attributes);
  const known = new KnownAttributes(values.lookup, attributes);
  const nodeNames = longNodeNames(draft);
  const builder = new MessageBuilder(draft, values, known, nodeNames, problems);
  const messages = builder.build();
  const nodes = buildNodes(draft, values);
  checkReferences(draft, builder.used, problems);
  checkDuplicates(draft, messages, nodes, problems);
  checkGroups(draft, messages, problems);
  return {
    format: 'dbc',
    version: draft.version,
    comment: draft.comment,
    nodes,
    messages,
    valueTables: draft.valueTables,
    attributes,
    specifics: {
      bitTiming: draft.bitTiming,
      attributeDefinitions: values.definitions,
      relationAttributes: buildRelations(draft, values, nodeNames),
      environmentVariables: buildVariables(draft, values, nodeNames),
      signalGroups: buildGroups(draft),
    },
  };
};

const longNodeNames = (draft: Draft): Map<string, string> => {
  const names = new Map<string, string>();
  for (const [name, notes] of draft.nodeNotes) {
    const full = fullName(name, notes);
    if (full !== name) names.set(name, full);
  }
  return names;
};

const signalName = (draft: Draft, number: number, name: string): string =>
  fullName(name, draft.signalNotesOf(number, name));

const variableName = (draft: Draft, name: string): string =>
  fullName(name, draft.variableNotes.get(name));

const buildGroups = (draft: Draft): DbcSignalGroup[] =>
  draft.groups
    .filter(({ number }) => !draft.independent.has(number))
    .map(({ number, name, repetitions, signals }) => ({
      message: referenceOf(number),
      name,
      repetitions,
      signals: signals.map((signal) => signalName(draft, number, signal)),
    }));

const buildVariables = (
  draft: Draft,
  values: AttributeValues,
  nodeNames: ReadonlyMap<string, string>,
): DbcEnvironmentVariable[] =>
  draft.variables.map((variable) => {
    const { name, type, minimum, maximum, unit, initial, number, access, nodes } = variable;
    const notes = draft.variableNotes.get(name);
    const dataSize = draft.dataSizes.get(name) ?? null;
    // A literal with a spread takes several times the memory.
    return {
      name: fullName(name, notes),
      type: dataSize === null ? type : 'data',
      minimum,
      maximum,
      unit,
      initial,
      number,
      access,
      nodes: nodeNames.size === 0 ? nodes : nodes.map((node) => nodeNames.get(node) ?? node),
      dataSize,
      values: notes?.values ?? [],
      comment: notes?.comment ?? null,
      attributes: values.attributesOf('environment_variable', notes?.attributes ?? null),
    };
  });

const buildRelations = (
  draft: Draft,
  values: AttributeValues,
  nodeNames: ReadonlyMap<string, string>,
): DbcRelationAttribute[] =>
  draft.relations.filter(isAttached(draft)).map(({ node, target, value }) => {
    const owner = `node_${target.kind}` as const;
    return {
      name: value.name,
      node: nodeNames.get(node) ?? node,
      target: buildTarget(draft, target),
      value: values.valueOf(owner, value),
    };
  });

const isAttached =
  (draft: Draft) =>
  ({ target }: DraftRelation): boolean =>
    target.kind === 'environment_variable' || !draft.independent.has(target.number);

const buildTarget = (
  draft: Draft,
  target: DraftRelation['target'],
): DbcRelationAttribute['target'] => {
  if (target.kind === 'environment_variable') {
    return { kind: target.kind, variable: variableName(draft, target.variable) };
  }
  const message = referenceOf(target.number);
  if (target.kind === 'message') return { kind: target.kind, message };
  return { kind: target.kind, message, signal: signalName(draft, target.number, target.signal) };
};
