import { type Static, Type } from 'typebox';
import { named } from '../base/schema/schemas.ts';

const closed = { additionalProperties: false } as const;

const title = Type.String({ minLength: 1, maxLength: 80 });
const name = Type.String({ minLength: 1, maxLength: 128 });

const messageFields = {
  channel: Type.String({
    minLength: 1,
    maxLength: 300,
    description: 'Selector of the channel that the message is heard on',
  }),
  database: name,
  message: name,
};

/** What the console shows first of a bench. */
export const Dashboard = named(
  'Dashboard',
  Type.Object(
    {
      title: Type.Optional(title),
      about: Type.Optional(
        Type.String({ minLength: 1, maxLength: 400, description: 'What this bench is' }),
      ),
      links: Type.Optional(
        Type.Array(
          Type.Object(
            {
              title,
              page: Type.String({
                pattern: '^[a-z-]{1,40}(\\?[^#]{0,200})?$',
                description: 'Address of a page of the console, such as trace?view=by-id',
              }),
            },
            closed,
          ),
          { maxItems: 8, description: 'What to look at next' },
        ),
      ),
      tiles: Type.Optional(
        Type.Array(
          Type.Object(
            { title, ...messageFields, signals: Type.Array(name, { minItems: 1, maxItems: 8 }) },
            closed,
          ),
          { maxItems: 24, description: 'Signals that are shown large, with their last minute' },
        ),
      ),
      plot: Type.Optional(
        Type.Array(Type.Object({ ...messageFields, signal: name }, closed), {
          maxItems: 16,
          description: 'Signals that are plotted until the user has chosen others',
        }),
      ),
    },
    { ...closed, description: 'What the console shows first' },
  ),
);
export type Dashboard = Static<typeof Dashboard>;
