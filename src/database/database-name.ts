import { type BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import type { LinFacts } from './lin-facts.ts';

/** Frames that a database describes: its identifiers mean nothing on the other bus. */
export type DatabaseBus = 'can' | 'lin';

export const busOfFormat = (format: string): DatabaseBus => (format === 'ldf' ? 'lin' : 'can');

export const maxDatabaseName = 128;

export interface DatabaseName {
  readonly name: string;
  readonly bus: DatabaseBus;
  /** Set for a LIN network. */
  readonly lin?: LinFacts | null;
}

export const notOnBus = (
  { name, bus }: Pick<DatabaseName, 'name' | 'bus'>,
  channel: string,
  field = 'name',
): BusbarError =>
  invalidArgument(
    field,
    bus === 'lin'
      ? `${name} describes LIN frames, but ${channel} is a CAN channel`
      : `${name} describes CAN messages, but ${channel} is a LIN channel`,
    { reason: 'not_on_bus', channel, database: name },
  );
