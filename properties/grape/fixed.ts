import { inputConversions, outputConversions } from '../../actors/grape/arithmetic/conversions.ts';
import * as word from '../../actors/grape/arithmetic/word.ts';
import { libraryCodes } from '../../actors/grape/host-calls.ts';
import { scratchShorts } from '../../actors/grape/jobs.ts';
import { chipSizes } from '../../machines/grape/assembler/symbols.ts';

/** Forms of words, conversions, codes and sizes that the specification fixes (GRAPE specification 1, 2, 7). */
export const grapeFixed = {
  word,
  inputConversions,
  outputConversions,
  libraryCodes,
  scratchShorts,
  chipSizes,
};
