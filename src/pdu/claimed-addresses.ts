import type { J1939NodeRecord } from './claim-record.ts';

interface OwnClaim {
  readonly claim_id: string;
  readonly slot: number;
  readonly name: string;
}

/** Adds the nodes that were seen to the claims of this daemon, which are among them. */
export const withNodes = <Claim extends OwnClaim>(
  claims: readonly Claim[],
  nodes: readonly J1939NodeRecord[],
  slots: readonly number[] | null,
): { claims: Claim[]; nodes: J1939NodeRecord[] } => {
  const shown = claims.filter(({ slot }) => slots?.includes(slot) ?? true);
  const ids = new Map(shown.map(({ slot, name, claim_id }) => [`${slot} ${name}`, claim_id]));
  return {
    claims: shown,
    nodes: nodes.map((node) => ({
      ...node,
      claim_id: ids.get(`${node.channel} ${node.name}`) ?? null,
    })),
  };
};
