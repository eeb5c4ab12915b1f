import type { Message } from '../../../model.ts';
import { longSymbols } from '../../known-attributes.ts';
import { numberOf } from '../../message-id.ts';
import type {
  DbcAttributeDefinition,
  DbcAttributeOwner,
  DbcRelationAttribute,
} from '../../specifics.ts';
import { type DbcNames, writtenName } from './dbc-names.ts';
import type { ShortNames } from './short-names.ts';
import { quote, valueText } from './text.ts';

const kinds: Readonly<Record<DbcAttributeOwner, string>> = {
  database: '',
  node: 'BU_ ',
  message: 'BO_ ',
  signal: 'SG_ ',
  environment_variable: 'EV_ ',
  node_signal: 'BU_SG_REL_ ',
  node_message: 'BU_BO_REL_ ',
  node_environment_variable: 'BU_EV_REL_ ',
};

const isRelation = ({ owner }: DbcAttributeDefinition): boolean => owner.startsWith('node_');

const domainOf = ({ type, minimum, maximum, choices }: DbcAttributeDefinition): string => {
  if (type === 'ENUM') return `ENUM ${choices.map(quote).join(',')}`;
  const limits = [minimum, maximum].filter((limit) => limit !== null);
  return [type, ...limits].join(' ') + (limits.length === 0 ? ' ' : '');
};

const definitionLine = (definition: DbcAttributeDefinition): string => {
  const keyword = isRelation(definition) ? 'BA_DEF_REL_' : 'BA_DEF_';
  const { owner, name } = definition;
  return `${keyword} ${kinds[owner]} ${quote(name)} ${domainOf(definition)};`;
};

/** A default refers to a choice by string, unless an earlier choice has the same string. */
const defaultLine = (definition: DbcAttributeDefinition): string[] => {
  const { name, choices, default: value } = definition;
  if (value === null) return [];
  const isByText = value.kind === 'choice' && choices.indexOf(value.text) === value.index;
  const keyword = isRelation(definition) ? 'BA_DEF_DEF_REL_' : 'BA_DEF_DEF_';
  return [`${keyword} ${quote(name)} ${isByText ? quote(value.text) : valueText(value)};`];
};

export const definitionLines = (definitions: readonly DbcAttributeDefinition[]): string[] => [
  ...definitions.filter((definition) => !isRelation(definition)).map(definitionLine),
  ...definitions.filter(isRelation).map(definitionLine),
  ...definitions.flatMap(defaultLine),
];

export const relationLines = (
  relations: readonly DbcRelationAttribute[],
  names: DbcNames,
): string[] =>
  relations.map(({ name, node, target, value }) => {
    const start = `BA_REL_ ${quote(name)} ${kinds[`node_${target.kind}`]}${names.nodes.of(node)}`;
    const end = `${valueText(value)};`;
    if (target.kind === 'message') return `${start} ${numberOf(target.message)} ${end}`;
    if (target.kind === 'environment_variable') {
      return `${start} ${names.variables.of(target.variable)} ${end}`;
    }
    const signal = names.signal(target.message, target.signal);
    return `${start} SG_ ${numberOf(target.message)} ${signal} ${end}`;
  });

export const longNameDefinitions = (names: DbcNames): DbcAttributeDefinition[] => {
  const all = [names.nodes, names.messages, names.variables, ...names.signals.values()];
  const owners = new Set(
    all.filter(({ shortened }) => shortened.size > 0).map(({ owner }) => owner),
  );
  return [...owners].map((owner) => ({
    owner,
    name: longSymbols[owner] ?? '',
    type: 'STRING',
    minimum: null,
    maximum: null,
    choices: [],
    default: { kind: 'text', text: '' },
  }));
};

const longNames = ({ owner, shortened }: ShortNames, subject: (short: string) => string) =>
  [...shortened].map(
    ([full, short]) => `BA_ ${quote(longSymbols[owner] ?? '')} ${subject(short)} ${quote(full)};`,
  );

export const longNameLines = (messages: readonly Message[], names: DbcNames): string[] => [
  ...longNames(names.nodes, (short) => `BU_ ${short}`),
  ...messages
    .filter((message) => names.messages.shortened.has(writtenName(message)))
    .map((message) => {
      const name = quote(writtenName(message));
      return `BA_ "${longSymbols.message}" BO_ ${numberOf(message)} ${name};`;
    }),
  ...[...names.signals].flatMap(([number, signals]) =>
    longNames(signals, (short) => `SG_ ${number} ${short}`),
  ),
  ...longNames(names.variables, (short) => `EV_ ${short}`),
];
