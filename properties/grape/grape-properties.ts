import { blocksCalculateAsTheReference } from './blocks-calculate-as-the-reference.ts';
import { blocksMarchTogether } from './blocks-march-together.ts';
import { broadcastWordsArriveOnce } from './broadcast-words-arrive-once.ts';
import type { GrapeProperty } from './context.ts';
import { externalMemoryKeepsRecords } from './external-memory-keeps-records.ts';
import { passesBeginWithTheirRecords } from './passes-begin-with-their-records.ts';
import { portsAreNeverBusyTogether } from './ports-are-never-busy-together.ts';
import { recordsAreVisitedInOrder } from './records-are-visited-in-order.ts';
import { reducedWordsAreTrees } from './reduced-words-are-trees.ts';
import { resultsAreConvertedWords } from './results-are-converted-words.ts';
import { runsIssueTheirSections } from './runs-issue-their-sections.ts';
import { theChipDoesWhatThePlainOneDoes } from './the-chip-does-what-the-plain-one-does.ts';
import { transfersTakeTheirCycles } from './transfers-take-their-cycles.ts';

/** The properties of the chip (GRAPE specification 6, 13): one a sentence. They see messages and probes, and share nothing with
 * the model but the reference engine, which judges the fast ones. */
export const grapeProperties: readonly GrapeProperty[] = [
  portsAreNeverBusyTogether,
  transfersTakeTheirCycles,
  broadcastWordsArriveOnce,
  recordsAreVisitedInOrder,
  externalMemoryKeepsRecords,
  blocksMarchTogether,
  blocksCalculateAsTheReference,
  runsIssueTheirSections,
  passesBeginWithTheirRecords,
  reducedWordsAreTrees,
  resultsAreConvertedWords,
  theChipDoesWhatThePlainOneDoes,
];
