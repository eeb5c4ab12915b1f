import { type CompareNodes, compareFields, found, foundIf, under } from './comparison.ts';
import { compareContent } from './content.ts';
import { type JsonObject, listOf } from './json.ts';
import { resolve } from './reference.ts';

/** The parameters of two operations, of which later ones override those of the same name. */
export const compareParameters: CompareNodes = (documents, before, after) => {
  const was = parametersOf(documents.before, before);
  const is = parametersOf(documents.after, after);
  const removed = [...was.values()].filter((parameter) => !is.has(keyOf(parameter)));
  const added = [...is.values()].filter((parameter) => !was.has(keyOf(parameter)));

  const findings = [...was].flatMap(([key, old]) => {
    const now = is.get(key) ?? added.find(({ name }) => name === old.name);
    return under(key, now ? compareParameter(documents, old, now) : [found('parameter removed')]);
  });
  const isMoved = (parameter: JsonObject): boolean =>
    removed.some(({ name }) => name === parameter.name);
  const required = added.filter((each) => each.required === true && !isMoved(each));
  return [...findings, ...required.map((each) => found('required parameter added', keyOf(each)))];
};

const compareParameter: CompareNodes = (documents, was, is) => {
  if (was.in !== is.in) return compareFields(['in'], was, is);
  const lost = (field: string): boolean => was[field] === true && is[field] !== true;
  const isContent = was.content === undefined && is.content !== undefined;
  return [
    ...foundIf(is.required === true && was.required !== true, 'parameter became required'),
    ...compareFields(['style', 'explode'], was, is),
    ...foundIf(isContent, 'content replaces schema'),
    ...foundIf(lost('allowReserved'), 'allowReserved removed'),
    ...foundIf(lost('allowEmptyValue'), 'allowEmptyValue removed'),
    ...compareContent(documents, 'request', was, is),
  ];
};

const keyOf = (parameter: JsonObject): string => `${parameter.in} ${parameter.name}`;

/** Each with the defaults that a document may leave out. */
function parametersOf(document: JsonObject, operation: JsonObject): Map<string, JsonObject> {
  const parameters = listOf(operation.parameters).flatMap((reference) => {
    const node = resolve(document, reference);
    if (!node) return [];
    const name = node.in === 'header' ? String(node.name).toLowerCase() : node.name;
    const style = node.style ?? (node.in === 'query' || node.in === 'cookie' ? 'form' : 'simple');
    return [{ explode: style === 'form', ...node, name, style }];
  });
  return new Map(parameters.map((parameter) => [keyOf(parameter), parameter]));
}
