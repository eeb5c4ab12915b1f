import type { Database, Message, Signal } from '../../../model.ts';
import { numberOf } from '../../message-id.ts';
import type { DbcMessageReference, DbcSpecifics } from '../../specifics.ts';
import { ShortNames } from './short-names.ts';

export const writtenName = ({ name, sharedName }: Pick<Message, 'name' | 'sharedName'>): string =>
  sharedName ?? name;

/** Statements name signals, so they apply to all signals with that name. */
export const isFirstOfName = ({ sharedName }: Signal): boolean => sharedName === undefined;

export class DbcNames {
  readonly nodes: ShortNames;
  readonly messages: ShortNames;
  readonly variables: ShortNames;
  /** Statements name signals by message number, so messages with the same number share them. */
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
