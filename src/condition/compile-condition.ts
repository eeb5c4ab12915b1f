import { nearestName } from '../base/suggest.ts';
import type { Message } from '../database/model.ts';
import { compileLayout } from '../e2e/layout.ts';
import { decodableSignals } from '../signal/decodable-signals.ts';
import { BytePattern } from './byte-pattern.ts';
import {
  type Condition,
  type SignalName,
  type SignalTerm,
  type Term,
  termsOf,
} from './condition.ts';
import type { ConditionContext, ConditionDatabase, ProtectedMessage } from './condition-context.ts';
import { conditionError } from './scanner.ts';
import {
  type ComparisonError,
  CompiledReader,
  compileComparison,
  type RawTest,
  type SignalReader,
} from './signal-test.ts';

/** How a term decodes its signal in a message; `test` is null for a change. */
export interface DecodedSignal {
  readonly reader: SignalReader;
  readonly test: RawTest | null;
}

/** A term with what it needs of the databases and gateways. */
export interface CompiledTerm {
  readonly term: Term;
  readonly data: BytePattern | null;
  readonly guarded: ProtectedMessage | null;
  /** Null if the message has no such signal. */
  readonly signalIn: (message: Message) => DecodedSignal | null;
}

export interface CompiledCondition {
  readonly condition: Condition;
  readonly terms: readonly CompiledTerm[];
}

class TermCompiler {
  readonly #field: string;
  readonly #context: ConditionContext;

  constructor(field: string, context: ConditionContext) {
    this.#field = field;
    this.#context = context;
  }

  compile(term: Term): CompiledTerm {
    this.#checkChannel(term);
    const isDecoded = term.op === 'signal' || term.op === 'change';
    const hasData = term.op === 'frame' || term.op === 'pdu';
    return {
      term,
      data: hasData && term.data !== null ? new BytePattern(term.data) : null,
      guarded: term.op === 'e2e_error' ? this.#guarded(term) : null,
      signalIn: isDecoded ? this.#signals(term, term.name) : () => null,
    };
  }

  #checkChannel({ on }: Term): void {
    const reason = on === null ? null : (this.#context.refuseChannel?.(on.channel) ?? null);
    if (on !== null && reason !== null) this.#refuse(on.at, 'a channel', reason);
  }

  #guarded({ instance, message, nameAt }: Extract<Term, { op: 'e2e_error' }>): ProtectedMessage {
    const find = this.#context.protectedMessage;
    const found = find?.(instance, message) ?? 'no gateway is known here';
    if (typeof found === 'string') {
      return this.#refuse(nameAt, 'a protected message of a gateway', found);
    }
    compileLayout(found.codec, found.length);
    return found;
  }

  #signals(
    term: Extract<Term, { op: 'signal' | 'change' }>,
    name: SignalName,
  ): CompiledTerm['signalIn'] {
    const messages = this.#messagesNamed(name);
    const compiled = new Map<Message, DecodedSignal | null>();
    const found = messages.filter(({ signals }) =>
      signals.some((signal) => signal.name === name.signal),
    );
    if (found.length === 0) this.#refuseSignal(name, messages);
    let error: ComparisonError | null = null;
    for (const message of found) {
      const result = decodedSignal(term, message, this.#context);
      if ('part' in result) error ??= result;
      else compiled.set(message, result);
    }
    // Databases of different channels may differ: one that has the label is enough.
    if (compiled.size === 0 && error !== null) this.#refuseComparison(term, error);
    return (message) => {
      const known = compiled.get(message);
      if (known !== undefined) return known;
      const isNamed = message.signals.some((signal) => signal.name === name.signal);
      const result = isNamed ? decodedSignal(term, message, this.#context) : null;
      const decoded = result === null || 'part' in result ? null : result;
      compiled.set(message, decoded);
      return decoded;
    };
  }

  #messagesNamed({ message, at }: SignalName): Message[] {
    const { databases } = this.#context;
    if (databases.length === 0) {
      this.#refuse(at, 'a database for the signal', 'no database is attached');
    }
    const messages = databases.flatMap((database) =>
      database.heads.filter(({ name }) => name === message).map((head) => database.message(head)),
    );
    if (messages.length > 0) return messages;
    const near = nearestName(message, namesIn(databases));
    const advice = near === null ? '' : `; did you mean ${near}?`;
    return this.#refuse(at, 'a message of the databases', `no message ${message}${advice}`);
  }

  #refuseSignal({ message, signal, at }: SignalName, messages: readonly Message[]): never {
    const names = messages.flatMap(({ signals }) => signals.map(({ name }) => name));
    const near = nearestName(signal, names);
    const advice = near === null ? '' : `; did you mean ${near}?`;
    const place = at + message.length + 1;
    return this.#refuse(place, `a signal of ${message}`, `no signal ${signal}${advice}`);
  }

  #refuseComparison(
    term: Extract<Term, { op: 'signal' | 'change' }>,
    { part, expected }: ComparisonError,
  ): never {
    const { message, signal } = term.name;
    const name = `${message}.${signal}`;
    if (term.op !== 'signal' || part === 'name') {
      return this.#refuse(term.name.at, expected, `${name} is not one`);
    }
    const { text, at } = term.value;
    if (part === 'value') return this.#refuse(at, expected, `${name} has no label ${text}`);
    return this.#refuse(term.name.at, expected, `${text} of ${name} has no value`);
  }

  #refuse(offset: number, expected: string, reason: string): never {
    const message = `expected ${expected} at offset ${offset}: ${reason}`;
    throw conditionError(this.#field, offset, expected, message);
  }
}

const namesIn = function* (databases: readonly ConditionDatabase[]): Generator<string> {
  for (const { heads } of databases) for (const { name } of heads) yield name;
};

const decodedSignal = (
  term: Extract<Term, { op: 'signal' | 'change' }>,
  message: Message,
  context: ConditionContext,
): DecodedSignal | ComparisonError => {
  const index = message.signals.findIndex(({ name }) => name === term.name.signal);
  const signal = message.signals[index];
  if (signal === undefined) return { part: 'name', expected: `a signal of ${message.name}` };
  const [omitted] = decodableSignals(message, [signal.name]).omitted;
  if (omitted) return { part: 'name', expected: 'a signal that can be decoded' };
  const test = term.op === 'change' ? null : comparisonOf(term, signal);
  if (test !== null && 'part' in test) return test;
  return {
    reader: context.newReader?.(message, index) ?? new CompiledReader(message, index),
    test,
  };
};

const comparisonOf = (
  { comparison, value }: SignalTerm,
  signal: Message['signals'][number],
): RawTest | ComparisonError => compileComparison(signal, comparison, value);

/** Looks up all names. `field` names the text in errors. */
export const compileCondition = (
  condition: Condition,
  field: string,
  context: ConditionContext,
): CompiledCondition => {
  const compiler = new TermCompiler(field, context);
  return { condition, terms: termsOf(condition).map((term) => compiler.compile(term)) };
};
