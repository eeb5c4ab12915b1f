import {
  type CompareNodes,
  type Documents,
  type Finding,
  found,
  foundIf,
  under,
} from './comparison.ts';
import { compareContent } from './content.ts';
import { type JsonObject, listOf, show } from './json.ts';
import { resolve } from './reference.ts';

interface Parameter {
  readonly name: string;
  readonly place: string;
  readonly node: JsonObject;
}

/** The parameters of two operations, of which later ones override those of the same name. */
export const compareParameters: CompareNodes = (documents, before, after) => {
  const was = parametersOf(documents.before, before);
  const is = parametersOf(documents.after, after);
  const moved = new Set<Parameter>();

  const findings = [...was].flatMap(([key, parameter]) => {
    const same = is.get(key);
    if (same) return under(key, compareParameter(documents, parameter, same));
    const [, elsewhere] =
      [...is].find(([other, { name }]) => name === parameter.name && !was.has(other)) ?? [];
    if (!elsewhere) return [found('parameter removed', key)];
    moved.add(elsewhere);
    return [found(`in changed from "${parameter.place}" to "${elsewhere.place}"`, key)];
  });
  const added = [...is].flatMap(([key, parameter]) => {
    const isNew = !was.has(key) && !moved.has(parameter);
    return foundIf(isNew && parameter.node.required === true, 'required parameter added', key);
  });
  return [...findings, ...added];
};

function parametersOf(document: JsonObject, operation: JsonObject): Map<string, Parameter> {
  const parameters = new Map<string, Parameter>();
  for (const reference of listOf(operation.parameters)) {
    const node = resolve(document, reference);
    if (!node) continue;
    const place = String(node.in);
    const name = place === 'header' ? String(node.name).toLowerCase() : String(node.name);
    parameters.set(`${place} ${name}`, { name, place, node });
  }
  return parameters;
}

function compareParameter(documents: Documents, before: Parameter, after: Parameter): Finding[] {
  const [was, is] = [notationOf(before), notationOf(after)];
  const notation = (['style', 'explode'] as const).flatMap((field) =>
    foundIf(
      was[field] !== is[field],
      `${field} changed from ${show(was[field])} to ${show(is[field])}`,
    ),
  );
  const lost = (field: string): boolean =>
    before.node[field] === true && after.node[field] !== true;
  const isRequired = after.node.required === true && before.node.required !== true;
  const isContent = before.node.content === undefined && after.node.content !== undefined;
  return [
    ...foundIf(isRequired, 'parameter became required'),
    ...notation,
    ...foundIf(isContent, 'content replaces schema'),
    ...['allowReserved', 'allowEmptyValue'].flatMap((freedom) =>
      foundIf(lost(freedom), `${freedom} removed`),
    ),
    ...compareContent(documents, 'request', before.node, after.node),
  ];
}

/** How the value is written, with the defaults that a document may leave out. */
function notationOf({ place, node }: Parameter): { style: unknown; explode: unknown } {
  const style = node.style ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple');
  return { style, explode: node.explode ?? style === 'form' };
}
