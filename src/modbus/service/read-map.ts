import { closeSync } from 'node:fs';
import { ProjectRoot } from '../../base/files/project-root.ts';
import { readAtMost } from '../../base/files/read-at-most.ts';
import { problemAt } from '../../base/schema/schema-problems.ts';
import { type PackedMaps, packMaps } from '../server/map/packed-maps.ts';
import { invalidMap, maxMapBytes, parseMap } from '../server/map/parse-map.ts';
import type { EndpointKind } from '../transport/endpoint.ts';

const field = 'map';

export const readMap = (projectRoot: string, file: string, kind: EndpointKind): PackedMaps => {
  const root = ProjectRoot.open(projectRoot, { field });
  try {
    const { fd } = root.openForReading(file, { field });
    try {
      const bytes = readAtMost(fd, maxMapBytes);
      if (bytes.length > maxMapBytes) {
        throw invalidMap(file, [problemAt([], `has more than ${maxMapBytes} bytes`)]);
      }
      return packMaps(parseMap(file, bytes, kind));
    } finally {
      closeSync(fd);
    }
  } finally {
    root.close();
  }
};
