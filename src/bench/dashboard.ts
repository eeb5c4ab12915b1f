import { type Static, Type } from 'typebox';
import { named } from '../base/schema/schemas.ts';

const closed = { additionalProperties: false } as const;

const title = Type.String({ minLength: 1, maxLength: 80 });
const name = Type.String({ minLength: 1, maxLength: 128 });

const messageFields = {
  channel: Type.String({
    minLength: 1,
    maxLength: 300,
    description: 'Selector of the channel that receives the message',
  }),
  database: name,
  message: name,
};

export const Dashboard = named(
  'Dashboard',
  Type.Object(
    {
      title: Type.Optional(title),
      about: Type.Optional(
        Type.String({ minLength: 1, maxLength: 400, description: 'Description of the bench' }),
      ),
      links: Type.Optional(
        Type.Array(
          Type.Object(
            {
              title,
              page: Type.String({
                pattern: '^[a-z-]{1,40}(\\?[^#]{0,200})?$',
                description: 'Console page, such as trace?view=by-id',
              }),
            },
            closed,
          ),
          { maxItems: 8, description: 'Suggested pages' },
        ),
      ),
      tiles: Type.Optional(
        Type.Array(
          Type.Object(
            { title, ...messageFields, signals: Type.Array(name, { minItems: 1, maxItems: 8 }) },
            closed,
          ),
          { maxItems: 24, description: 'Signals shown large, with their last minute' },
        ),
      ),
      plot: Type.Optional(
        Type.Array(Type.Object({ ...messageFields, signal: name }, closed), {
          maxItems: 16,
          description: 'Signals plotted by default',
        }),
      ),
    },
    { ...closed, description: 'Dashboard of the console' },
  ),
);
export type Dashboard = Static<typeof Dashboard>;
