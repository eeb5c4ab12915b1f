/**
 * Memory of the row writer. Columns are those of samples; a cell has the last row of a series.
 *
 *     state   digits   stamp   middle   times   values   series   labels   cells   rows, to the end
 *
 *     cell    0 value   8 series   12 label + 1, or 0 if it is empty   16 length   20 head   24 tail
 *             28 places   32 text of the row after its time: head, value, middle, number, tail
 *             240 text of the tail
 */
export const maxRows = 8192;
/** A power of two: about 2.6 MB, more than a bus of 1,000 signals needs. */
export const usualCells = 8192;

export const state = {
  /** End of the rows. */
  end: 0,
  /** Cell of the row that could not be written. */
  cell: 4,
  /** Second of the stamp. */
  secondUs: 8,
  timeUs: 16,
  stampBytes: 24,
  microsAt: 28,
  cellMask: 32,
  middleBytes: 36,
} as const;

export const cellAt = {
  value: 0,
  series: 8,
  label: 12,
  length: 16,
  headBytes: 20,
  tailBytes: 24,
  places: 28,
  text: 32,
  tail: 240,
} as const;
/** An odd number of cache lines, so that cells do not compete for the same sets. */
export const cellBytes = 5 * 64;

/** Copies are made in vectors, so bytes after the end of a text are written too. */
export const vectorBytes = 16;
/** Stamps and texts of rows are copied in at least this many bytes, without a branch. */
export const usualTextBytes = 3 * vectorBytes;
export const maxCellText = cellAt.tail - cellAt.text - vectorBytes;
export const maxTailBytes = cellBytes - cellAt.tail - vectorBytes;
/** Sign, point, and ten digits or as many as a scale has places. */
export const maxValueBytes = 26;

export const digitsEnd = 96;
export const stampAt = 128;
export const middleAt = 192;
export const timesAt = 256;
export const valuesAt = timesAt + maxRows * 8;
export const seriesAt = valuesAt + maxRows * 8;
export const labelsAt = seriesAt + maxRows * 4;
export const cellsAt = labelsAt + maxRows * 4;

/** Memory that a row in a cell needs. */
export const maxRowBytes = middleAt - stampAt + maxCellText + usualTextBytes;
