export const valueTypes = ['bool', 'u16', 's16', 'u32', 's32', 'u64', 's64', 'f32', 'f64'] as const;
export type ValueType = (typeof valueTypes)[number];

export const registersPerValue: Readonly<Record<ValueType, 1 | 2 | 4>> = {
  bool: 1,
  u16: 1,
  s16: 1,
  u32: 2,
  s32: 2,
  f32: 2,
  u64: 4,
  s64: 4,
  f64: 4,
};
