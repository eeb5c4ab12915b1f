import {
  type CompareNodes,
  type Documents,
  type Finding,
  found,
  foundIf,
  under,
} from './comparison.ts';
import { type JsonObject, listOf, mapOf, objectOf, show, showList } from './json.ts';
import { resolve } from './reference.ts';

/** Schemes that are needed together, with scopes. */
type Requirement = ReadonlyMap<string, unknown>;

/** Every way of authorizing that sufficed must still suffice. */
export const compareSecurity: CompareNodes = (documents, before, after) => {
  const accepted = requirementsOf(documents.after, after);
  return requirementsOf(documents.before, before).flatMap((sent) => {
    const [fewest = []] = accepted
      .map((needed) => missingFrom(sent, needed))
      .sort((left, right) => left.length - right.length);
    const clients = sent.size === 0 ? '' : ` for clients that use ${showList(sent.keys())}`;
    const change = `security requirement ${showList(fewest)} added${clients}`;
    return foundIf(fewest.length > 0, change);
  });
};

/**
 * How a credential is sent belongs to the scheme; another scheme type or header locks clients out.
 */
export function compareSecuritySchemes({ before, after }: Documents): Finding[] {
  const is = schemesOf(after);
  const findings = [...schemesOf(before)].flatMap(([name, node]) => {
    const old = resolve(before, node);
    const now = resolve(after, is.get(name));
    if (!old || !now) return [];
    return ['type', 'scheme', 'in', 'name', 'openIdConnectUrl']
      .filter((field) => old[field] !== now[field])
      .map((field) =>
        found(`${field} changed from ${show(old[field])} to ${show(now[field])}`, name),
      );
  });
  return under('securitySchemes', findings);
}

const schemesOf = ({ components }: JsonObject): Map<string, unknown> =>
  mapOf(objectOf(components).securitySchemes);

function requirementsOf(document: JsonObject, operation: JsonObject): Requirement[] {
  const requirements = listOf(operation.security ?? document.security).map(mapOf);
  // An empty list asks for nothing, as an empty requirement does.
  return requirements.length === 0 ? [new Map()] : requirements;
}

const missingFrom = (sent: Requirement, needed: Requirement): string[] =>
  [...needed].flatMap(([scheme, scopes]) => {
    if (!sent.has(scheme)) return [scheme];
    const held = listOf(sent.get(scheme));
    return listOf(scopes)
      .filter((scope) => !held.includes(scope))
      .map((scope) => `${scheme} ${scope}`);
  });
