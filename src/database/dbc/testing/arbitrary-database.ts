import fc from 'fast-check';
import { distinctNames } from '../../distinct-names.ts';
import { pgnOf } from '../../j1939.ts';
import type {
  Attributes,
  AttributeValue,
  Database,
  DecimalText,
  Message,
  Signal,
} from '../../model.ts';
import { lookupOf } from '../attribute-lookup.ts';
import { KnownAttributes } from '../known-attributes.ts';
import type { DbcAttributeDefinition, DbcAttributeOwner, DbcSpecifics } from '../specifics.ts';

/** Any text that a file can contain: no NUL, and no backslash before the closing quote. */
const text = fc
  .oneof(
    fc.string({ maxLength: 12 }),
    fc.string({ unit: 'grapheme', maxLength: 6 }),
    fc.constantFrom('a "quoted" word', ';\r\nBO_ 1 X: 8 A', '\\" \\n ', 'µ°℃', '// no comment'),
  )
  .map((any) => any.replaceAll('\0', '').replace(/\\+$/, ''));

/** A unit or version over several lines would look like a missing quote. */
const unit = text.map((any) => any.replace(/[\r\n]/g, ' '));

const name = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,9}$/) },
  { weight: 1, arbitrary: fc.stringMatching(/^LongNameWithTheSameBeginningAsOthers[0-9]{2}$/) },
  fc.constantFrom('BO_', 'Vector__XXX', 'a blank', '1st', 'Größe', '温度', 'x:y', '"', 'CM_'),
);
const plainName = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9]{1,9}$/);
const uniqueNames = (maxLength: number) => fc.uniqueArray(name, { maxLength });

const decimal: fc.Arbitrary<DecimalText> = fc.constantFrom(
  ...['1', '-1', '0.1', '255', '-273.15', '3.4E+038', '1E-002', '18446744073709551615', '0.0'],
);
const values = fc.uniqueArray(
  fc.record({ raw: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n }), text }),
  { maxLength: 4, selector: ({ raw }) => raw },
);
const range = fc
  .tuple(fc.bigInt({ min: 0n, max: 2n ** 64n }), fc.nat(3))
  .map(([from, more]) => ({ from, to: from + BigInt(more) }));

const valueFor = ({ type, choices }: Pick<DbcAttributeDefinition, 'type' | 'choices'>) => {
  if (type === 'STRING') {
    return text.map((any): AttributeValue => ({ kind: 'text', text: any }));
  }
  if (type !== 'ENUM') {
    const number = type === 'FLOAT' ? decimal : fc.integer().map(String);
    return number.map((any): AttributeValue => ({ kind: 'number', number: any }));
  }
  return fc
    .nat(choices.length - 1)
    .map((index): AttributeValue => ({ kind: 'choice', index, text: choices[index] ?? '' }));
};

const owners = ['database', 'node', 'message', 'signal', 'environment_variable', 'node_signal'];

const definitions = fc
  .uniqueArray(
    fc.record({
      owner: fc.constantFrom(...(owners as DbcAttributeOwner[])),
      name: fc.oneof(text, fc.constantFrom('GenMsgCycleTime', 'GenSigStartValue', 'CANFD_BRS')),
      type: fc.constantFrom('INT', 'HEX', 'FLOAT', 'STRING', 'ENUM'),
      limits: fc.boolean(),
      choices: fc.array(fc.constantFrom('Off', 'On', 'NotUsed', '1', ''), {
        minLength: 1,
        maxLength: 5,
      }),
      hasDefault: fc.boolean(),
    }),
    { maxLength: 6, selector: (definition) => definition.name },
  )
  .chain((drafts) =>
    fc.tuple(
      ...drafts.map(({ limits, hasDefault, choices, type, ...rest }) => {
        const bounds = limits && type !== 'STRING' && type !== 'ENUM';
        const definition = {
          ...rest,
          type,
          minimum: bounds ? '0' : null,
          maximum: bounds ? '65535' : null,
          choices: type === 'ENUM' ? choices : [],
        };
        const byDefault = hasDefault ? valueFor(definition) : fc.constant(null);
        return byDefault.map(
          (value): DbcAttributeDefinition => ({ ...definition, default: value }),
        );
      }),
    ),
  );

const attributesOf = (
  all: readonly DbcAttributeDefinition[],
  owner: DbcAttributeOwner,
): fc.Arbitrary<Attributes> =>
  fc
    .tuple(
      ...all
        .filter((definition) => definition.owner === owner)
        .map((definition) =>
          fc.option(valueFor(definition).map((value) => [definition.name, value] as const)),
        ),
    )
    .map((entries) => Object.fromEntries(entries.filter((entry) => entry !== null)));

const signal = (own: string, all: readonly DbcAttributeDefinition[]): fc.Arbitrary<Signal> =>
  fc
    .record({
      startBit: fc.nat(63),
      length: fc.integer({ min: 1, max: 80 }),
      byteOrder: fc.constantFrom('intel' as const, 'motorola' as const),
      kind: fc.constantFrom('unsigned' as const, 'signed' as const, 'float32' as const, 'float64'),
      factor: decimal,
      offset: decimal,
      limits: fc.option(fc.tuple(decimal, decimal)),
      unit,
      receivers: uniqueNames(3),
      values,
      comment: fc.option(text),
      attributes: attributesOf(all, 'signal'),
    })
    .map(({ limits, length, kind, ...rest }) => ({
      ...rest,
      name: own,
      kind: kind as Signal['kind'],
      length: kind === 'float32' ? 32 : kind === 'float64' ? 64 : length,
      minimum: limits?.[0] ?? null,
      maximum: limits?.[1] ?? null,
      isSwitch: false,
      multiplexing: null,
      initialRaw: null,
    }));

/** Makes some signals switches, and others dependent on an earlier one. */
const multiplexed = (signals: readonly Signal[]): fc.Arbitrary<Signal[]> =>
  fc
    .tuple(
      ...signals.map((_, index) =>
        fc.option(
          fc.tuple(fc.nat(Math.max(index - 1, 0)), fc.array(range, { minLength: 1, maxLength: 3 })),
        ),
      ),
    )
    .map((choices) => {
      const parents = choices.map((choice, index) => (index === 0 ? null : choice));
      const switches = new Set(parents.map((parent) => parent?.[0] ?? -1));
      return signals.map((each, index) => {
        const parent = parents[index] ?? null;
        const multiplexing = parent && {
          switch: signals[parent[0]]?.name ?? '',
          ranges: parent[1],
        };
        return { ...each, isSwitch: switches.has(index), multiplexing };
      });
    });

const message = (all: readonly DbcAttributeDefinition[]): fc.Arbitrary<Message> =>
  uniqueNames(5).chain((names) =>
    fc
      .record({
        name,
        extended: fc.boolean(),
        id: fc.nat(0x1fff_ffff),
        length: fc.integer({ min: 0, max: 64 }),
        senders: uniqueNames(3),
        comment: fc.option(text),
        attributes: attributesOf(all, 'message'),
        signals: fc.tuple(...names.map((own) => signal(own, all))).chain(multiplexed),
      })
      .map((draft) => ({
        ...draft,
        id: draft.extended ? draft.id : draft.id & 0x7ff,
        fd: false,
        brs: false,
        cycleTimeMs: null,
      })),
  );

const specificsOf = (
  all: readonly DbcAttributeDefinition[],
  messages: readonly Message[],
): fc.Arbitrary<DbcSpecifics> =>
  fc.record({
    bitTiming: fc.option(fc.constant({ baudRate: '500000', btr1: '1', btr2: '28' })),
    attributeDefinitions: fc.constant([
      ...all.filter(({ owner }) => !owner.startsWith('node_')),
      ...all.filter(({ owner }) => owner.startsWith('node_')),
    ]),
    relationAttributes: fc
      .tuple(name, fc.tuple(...all.filter(({ owner }) => owner === 'node_signal').map(valueFor)))
      .map(([node, found]) =>
        messages.flatMap(({ id, extended, signals }) =>
          found.map((value, index) => ({
            name: all.filter(({ owner }) => owner === 'node_signal')[index]?.name ?? '',
            node,
            target: {
              kind: 'signal' as const,
              message: { id, extended },
              signal: signals[0]?.name ?? 'Gone',
            },
            value,
          })),
        ),
      ),
    environmentVariables: fc.uniqueArray(
      fc
        .record({
          name,
          type: fc.constantFrom('integer' as const, 'float' as const, 'string' as const, 'data'),
          minimum: decimal,
          maximum: decimal,
          unit,
          initial: decimal,
          number: fc.nat(),
          access: fc.constantFrom('unrestricted', 'read', 'write', 'read_write' as const),
          nodes: uniqueNames(2),
          values,
          comment: fc.option(text),
          attributes: attributesOf(all, 'environment_variable'),
        })
        .map((variable) => ({ ...variable, dataSize: variable.type === 'data' ? 8 : null })),
      { maxLength: 2, selector: (variable) => variable.name },
    ) as fc.Arbitrary<DbcSpecifics['environmentVariables']>,
    signalGroups: plainName.map((group) =>
      messages.map(({ id, extended, signals }) => ({
        message: { id, extended },
        name: group,
        repetitions: 1,
        signals: signals.map((each) => each.name),
      })),
    ),
  });

/** Fills in the values of attributes, as a reader does. */
const derived = (database: Database<DbcSpecifics>): Database<DbcSpecifics> => {
  const lookup = lookupOf(database.specifics.attributeDefinitions);
  const known = new KnownAttributes(lookup, database.attributes);
  const messages = database.messages.map((each) => {
    const { fd, brs } = known.frameKind(each.attributes, each.length);
    const signals = each.signals.map((own) => ({
      ...own,
      initialRaw: known.initialRaw(own.attributes),
    }));
    const isGroup = each.extended && known.isJ1939(each.attributes);
    const group = isGroup ? { pgn: pgnOf(each.id) } : {};
    const cycleTimeMs = known.cycleTimeMs(each.attributes);
    return { ...each, ...group, fd, brs, cycleTimeMs, signals };
  });
  const names = distinctNames(messages.map((each) => each.name));
  return {
    ...database,
    messages: messages.map((each, index) => {
      const own = names[index] ?? '';
      return own === each.name ? each : { ...each, name: own, sharedName: each.name };
    }),
  };
};

/** Databases as they result from reading a file. */
export const arbitraryDatabase: fc.Arbitrary<Database<DbcSpecifics>> = definitions.chain((all) =>
  fc
    .uniqueArray(message(all), {
      maxLength: 4,
      selector: ({ id, extended }) => `${id} ${extended}`,
    })
    .chain((messages) =>
      fc.record({
        format: fc.constant('dbc'),
        version: fc.option(unit),
        comment: fc.option(text),
        nodes: fc.uniqueArray(
          fc.record({ name, comment: fc.option(text), attributes: attributesOf(all, 'node') }),
          { maxLength: 4, selector: (node) => node.name },
        ),
        messages: fc.constant(messages),
        valueTables: fc.array(fc.record({ name: plainName, values }), { maxLength: 2 }),
        attributes: attributesOf(all, 'database'),
        specifics: specificsOf(all, messages),
      }),
    )
    .map(derived),
);
