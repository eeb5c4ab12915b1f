import { hexByte } from '../../../../src/frame/hex-bytes.ts';
import type { BitPlace } from '../../codec/signal-bits.ts';

const places = [7, 6, 5, 4, 3, 2, 1, 0];

interface BitGridProps {
  readonly data: Uint8Array;
  /** Bits of the signal that is pointed at. */
  readonly marked: readonly BitPlace[];
}

/** Every bit of a frame, byte by byte. */
export const BitGrid = ({ data, marked }: BitGridProps) => {
  if (data.length === 0) return null;
  const isMarked = new Set(marked);
  return (
    <table class="bits" data-testid="trace-bits">
      <thead>
        <tr>
          <th scope="col" class="number">
            Byte
          </th>
          <th scope="col">Hex</th>
          {places.map((place) => (
            <th key={place} scope="col">
              {place}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Array.from(data, (byte, index) => (
          <tr key={index}>
            <th scope="row" class="number">
              {index}
            </th>
            <td class="mono">{hexByte(byte)}</td>
            {places.map((place) => (
              <td
                key={place}
                class="mono"
                data-marked={isMarked.has(8 * index + place) ? '' : undefined}
              >
                {(byte >> place) & 1}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
};
