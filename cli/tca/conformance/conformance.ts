import type { Command } from 'commander';
import { conformanceCases } from '../../../scenarios/tca/conformance/cases.ts';
import { type Row, rowName, scheduleName } from '../../../scenarios/tca/conformance/row.ts';
import { rowsOf, type SuiteOrder } from '../../../scenarios/tca/conformance/suite.ts';
import {
  type CampaignWords,
  type CarriedOut,
  carryOutSchedules,
  declareCampaign,
} from '../../campaign/carry-out.ts';
import type { RowTally } from '../../campaign/schedules.ts';
import type { Session } from '../../command.ts';
import { exitCodes } from '../../exit-codes.ts';
import { naturalOption } from '../../natural-option.ts';
import { casesOption, modesOption, mutantsOption, nodesOption, setsOption } from './options.ts';
import { type PlainOrder, suiteOrder, suiteRows } from './order.ts';
import { type ToldRow, table } from './table.ts';

interface ConformanceWords extends CampaignWords {
  readonly case?: SuiteOrder['cases'];
  readonly nodes: readonly number[];
  readonly mode: SuiteOrder['modes'];
  readonly channels: SuiteOrder['channels'];
  readonly schedules: number;
  readonly seed: number;
  readonly mutant: readonly string[];
  readonly mandatory?: boolean;
  readonly watch: boolean;
  readonly json?: boolean;
}

/** `lockstep tca conformance`: what the public tests of GASNet assert, under settings, topologies and schedules (TCA specification 20). */
export function declareConformance(command: Command, session: Session): void {
  command
    .option('--case <list>', 'cases: C05,C10; all when not given', casesOption)
    .option('--nodes <list>', 'nodes, of 2,4,8,16', nodesOption, [2, 4])
    .option('--mode <list>', 'modes of transfers: auto,BtoB', modesOption, ['auto', 'BtoB'])
    .option('--channels <list>', 'sets of channels: 0,0123', setsOption, [[0], [0, 1, 2, 3]])
    .option(
      '--schedules <n>',
      'schedules of each row beside the default one',
      naturalOption('--schedules'),
      0,
    )
    .option('--seed <n>', 'decides what the cases draw', naturalOption('--seed'), 1)
    .option('--mutant <list>', 'planted faults, with commas between them; may be repeated', mutantsOption, [])
    .option('--mandatory', 'the mandatory cases only')
    .option(
      '--no-watch',
      'without the properties of the machine: the values of the programs alone are judged',
    );
  declareCampaign(command)
    .option('--json', 'one JSON object {rows, passed, failed} on standard output')
    .action(async (options: ConformanceWords) => {
      session.exitCode = await conformance(options, session);
    });
}

async function conformance(words: ConformanceWords, { terminal }: Session): Promise<number> {
  const { schedules, seed, mutant: mutants, json } = words;
  const plain: PlainOrder = {
    cases: (words.case ?? conformanceCases)
      .filter(({ mandatory }) => mandatory || !words.mandatory)
      .map(({ id }) => id),
    nodes: words.nodes,
    modes: words.mode,
    channels: words.channels,
    schedules,
    seed,
    mutants,
    watch: words.watch,
  };
  const carriedOut = await carryOutSchedules(
    {
      campaign: 'tca conformance',
      order: { seed, mutant: mutants },
      // The default schedule is the first.
      each: schedules + 1,
      plain,
      open: suiteRows,
      serve: 'cli/tca/conformance/serve',
    },
    words,
    terminal,
  );
  const order = rowsOf(await suiteOrder(plain));
  const rows = carriedOut.rows.map((tally, index) => toldRow(order[index]!, tally, carriedOut));
  const failed = rows.filter(({ found }) => found !== undefined);
  const passed = rows.filter(({ found, done }) => found === undefined && done).length;
  if (json) terminal.out(`${JSON.stringify({ rows, passed, failed: failed.length })}\n`);
  else terminal.out(table(rows, passed, failed.length));
  if (carriedOut.interrupted) return exitCodes.interrupted;
  return failed.some(({ mandatory }) => mandatory) ? exitCodes.failed : exitCodes.ok;
}

function toldRow(row: Row, tally: RowTally, { isDone }: CarriedOut): ToldRow {
  const { schedules, found, at } = tally;
  return {
    row: rowName(row),
    case: row.case.id,
    topology: `${row.topology}(${row.nodes})`,
    mode: row.mode,
    channels: row.channels.join(''),
    mandatory: row.case.mandatory,
    schedules: schedules + (found === undefined ? 0 : 1),
    done: found !== undefined || isDone(tally),
    ...(found !== undefined && { found, schedule: scheduleName(at!) }),
  };
}
