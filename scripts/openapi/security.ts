import {
  type CompareNodes,
  compareFields,
  type Documents,
  type Finding,
  foundIf,
  under,
} from './comparison.ts';
import { type JsonObject, listOf, mapOf, objectOf, showList } from './json.ts';
import { membersOf } from './reference.ts';

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
  const findings = [...schemesOf(before)].flatMap(([name, old]) =>
    under(name, compareFields(credentialFields, old, is.get(name) ?? old)),
  );
  return under('securitySchemes', findings);
}

const credentialFields = ['type', 'scheme', 'in', 'name', 'openIdConnectUrl'];

const schemesOf = (document: JsonObject): Map<string, JsonObject> =>
  membersOf(document, objectOf(document.components).securitySchemes);

function requirementsOf(document: JsonObject, operation: JsonObject): Requirement[] {
  const requirements = listOf(operation.security ?? document.security).map(mapOf);
  // An empty list asks for nothing, as an empty requirement does.
  return requirements.length === 0 ? [new Map()] : requirements;
}

const missingFrom = (sent: Requirement, needed: Requirement): string[] =>
  [...needed].flatMap(([scheme, scopes]) => {
    if (!sent.has(scheme)) return [scheme];
    const held = listOf(sent.get(scheme));
    const missing = listOf(scopes).filter((scope) => !held.includes(scope));
    return missing.map((scope) => `${scheme} ${scope}`);
  });
