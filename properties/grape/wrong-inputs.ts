import type { Inputs } from '../refused-inputs.ts';

const source = (text: string): Readonly<Record<string, unknown>> => ({ 'programs.source': text });
const peActors = (nPE: number): Readonly<Record<string, unknown>> => ({
  'config.nPE': nPE,
  'config.peActors': true,
});
const table = 'bvar long a elt flt64to72\nevar e 0 9\n';
const named = (text: string, place: string) => [source(text), `${place}, the chip has 2 of 2 PEs`] as const;

/** What the chip refuses beside what its assembler does (GRAPE specification 3.6, 3.7, 7.5, 7.6). */
export const grapeInputs: Inputs = {
  right: { config: {}, programs: { source: 'nop\n', host: [] } },
  wrong: [
    [peActors(32), ''],
    [peActors(33), 'no schema: with peActors a block has at most 32 PEs', 'config'],
    [{ 'config.nPE': 33 }, ''],
    [source('fadd $lr0v\n'), 'E_ARITY'],
    [source('bm $b0 $r0 1\n'), ''],
    named('bm $b0 $r0 2\n', 'line 1 moves words of PE 2'),
    [source(`${table}idp e 1 1\n`), ''],
    named(`${table}idp e 1 2\n`, 'line 3 fills block 2'),
    [source(`${table}rrn 1 a flt72to64\n`), ''],
    named(`${table}rrn 2 a flt72to64\n`, 'line 3 reads out block 2'),
    [source('RRN 1 $lb0\n'), ''],
    named('RRN 2 $lb0\n', 'line 1 reads out block 2'),
    [source('var vector long r rrn flt72to64 1\nvlen 4\n'), ''],
    named('var vector long r rrn flt72to64 2\nvlen 4\n', 'r is the result of block 2'),
    [source('print 1 1 f $t\nDBG BM 1 0 9\nDBG BB 1 1 TREG\n'), ''],
    named('print 2 0 f $t\n', 'line 1 shows PE 0 of block 2'),
    named('print 0 2 f $t\n', 'line 1 shows PE 2 of block 0'),
    named('DBG BM 2 0 9\n', 'line 1 shows PE 0 of block 2'),
    named('DBG BB 1 2 TREG\n', 'line 1 shows PE 2 of block 1'),
    // Words that the library moves need eight short ones above the variables of type I.
    [source('bvar long a 2038\n'), ''],
    [source('bvar long a 2040\n'), '2042 short words of broadcast memory in use, of 2048'],
    [{ 'config.type': 2, ...source('bvar long a 2040\n') }, '', 'programs.source'],
  ],
};
