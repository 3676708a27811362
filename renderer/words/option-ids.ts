import type { BakeOptions } from '../../main/bake/options.ts'

/** Ids of elements that describe a field. */
export const optionIds = {
  problem: (field: keyof BakeOptions) => `problem-${field}`,
}
