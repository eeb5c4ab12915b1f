import type { Database, Message, Signal } from '../../model.ts';
import { numberOf } from '../message-id.ts';
import type { DbcMessageReference, DbcSpecifics } from '../specifics.ts';
import { ShortNames } from './short-names.ts';

/** What the file is to call a message or a signal: several may have one name there. */
export const writtenName = ({ name, sharedName }: Pick<Message, 'name' | 'sharedName'>): string =>
  sharedName ?? name;

/** Statements speak of signals by name, and so of all that share one at once. */
export const isFirstOfName = ({ sharedName }: Signal): boolean => sharedName === undefined;

/** The names that everything gets in the file. */
export class DbcNames {
  readonly nodes: ShortNames;
  readonly messages: ShortNames;
  readonly variables: ShortNames;
  /** Statements name signals by the number of their message, so messages of one number share them. */
  readonly signals: ReadonlyMap<number, ShortNames>;

  constructor({ nodes, messages, specifics }: Database<DbcSpecifics>) {
    const { environmentVariables, relationAttributes } = specifics;
    this.nodes = new ShortNames('node', [
      ...nodes.map(({ name }) => name),
      ...messages.flatMap(({ senders }) => senders),
      ...messages.flatMap(({ signals }) => signals.flatMap(({ receivers }) => receivers)),
      ...environmentVariables.flatMap((variable) => variable.nodes),
      ...relationAttributes.map(({ node }) => node),
    ]);
    this.messages = new ShortNames('message', messages.map(writtenName));
    this.variables = new ShortNames(
      'environment_variable',
      environmentVariables.map(({ name }) => name),
    );
    const names = new Map<number, string[]>();
    for (const message of messages) {
      const number = numberOf(message);
      const known = names.get(number) ?? [];
      names.set(number, known);
      for (const signal of message.signals) known.push(writtenName(signal));
    }
    this.signals = new Map(
      [...names].map(([number, all]) => [number, new ShortNames('signal', all)]),
    );
  }

  signal(message: DbcMessageReference, name: string): string {
    return this.signals.get(numberOf(message))?.of(name) ?? name;
  }
}
