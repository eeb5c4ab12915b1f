import type { Attributes, Database, ValueText } from '../../../model.ts';
import { numberOf } from '../../message-id.ts';
import type { DbcSpecifics } from '../../specifics.ts';
import type { CompleteAttributes } from './complete-attributes.ts';
import { type DbcNames, isFirstOfName } from './dbc-names.ts';

export interface AnnotatedObject {
  readonly subject: string;
  readonly comment: string | null;
  readonly attributes: Attributes;
  readonly valueSubject: string;
  readonly values: readonly ValueText[];
}

const noValues: readonly ValueText[] = [];

export const notedObjects = (
  database: Database<DbcSpecifics>,
  names: DbcNames,
  complete: CompleteAttributes,
): AnnotatedObject[] => [
  {
    subject: '',
    comment: database.comment,
    attributes: database.attributes,
    valueSubject: '',
    values: noValues,
  },
  ...database.nodes.map(({ name, comment, attributes }) => ({
    subject: `BU_ ${names.nodes.of(name)} `,
    comment,
    attributes,
    valueSubject: '',
    values: noValues,
  })),
  ...database.messages.flatMap((message) => {
    const number = numberOf(message);
    return [
      {
        subject: `BO_ ${number} `,
        comment: message.comment,
        attributes: complete.ofMessage(message),
        valueSubject: '',
        values: noValues,
      },
      ...message.signals.filter(isFirstOfName).map((signal) => {
        const valueSubject = `${number} ${names.signal(message, signal.name)}`;
        return {
          subject: `SG_ ${valueSubject} `,
          comment: signal.comment,
          attributes: complete.ofSignal(signal),
          valueSubject,
          values: signal.values,
        };
      }),
    ];
  }),
  ...database.specifics.environmentVariables.map(({ name, comment, attributes, values }) => {
    const valueSubject = names.variables.of(name);
    return { subject: `EV_ ${valueSubject} `, comment, attributes, valueSubject, values };
  }),
];
