import type { FoundChannel } from '../../bench/channel-table.ts';
import type { ResolvedUnit } from './resolve-modbus.ts';

export type FoundEndpoint = { readonly id: string; readonly network: string } & (
  | { readonly role: 'can'; readonly found: FoundChannel }
  | { readonly role: 'client'; readonly place: ResolvedUnit; readonly timeoutMs: number }
  | { readonly role: 'server'; readonly place: ResolvedUnit }
);
