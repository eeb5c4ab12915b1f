import type { DemoPlace } from './demo-bench.ts';
import { demoDatabase } from './demo-names.ts';
import { vehicleDatabase } from './vehicle-database.ts';

interface Shelf {
  load(source: {
    readonly name: string;
    readonly file: string;
    readonly bytes: Uint8Array;
  }): unknown;
}

/** Loads the vehicle's database at the start of a demonstration. */
export const shelveDemoDatabase = (place: DemoPlace | undefined, shelf: Shelf): void => {
  if (!place) return;
  const bytes = new TextEncoder().encode(vehicleDatabase());
  shelf.load({ name: demoDatabase, file: 'built-in', bytes });
};
