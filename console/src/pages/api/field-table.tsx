import type { JsonSchema } from '../../state/bench.ts';
import { fieldNames, resolved, type Schemas } from './body-template.ts';
import { allowedText, typeText } from './schema-text.ts';

interface FieldTableProps {
  readonly schema: JsonSchema;
  readonly schemas: Schemas;
}

/** The fields of a body: what they are, what they allow and what they mean. */
export const FieldTable = (props: FieldTableProps) => {
  const schema = resolved(props.schema, props.schemas);
  const { properties = {}, required = [] } = schema;
  return (
    <table class="reference">
      <caption>Fields of the body</caption>
      <tbody>
        {fieldNames(schema).map((name) => {
          const field = properties[name] ?? {};
          return (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>
                {typeText(field, props.schemas)}
                {required.includes(name) && <p class="quiet">required</p>}
              </td>
              <td class="wrap">
                {field.description ?? resolved(field, props.schemas).description}{' '}
                <span class="quiet">{allowedText(field, props.schemas)}</span>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
};
