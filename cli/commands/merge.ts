import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { mergeSchedules } from '../campaign/merge-schedules.ts';
import { mergeSwarms } from '../campaign/merge-swarms.ts';
import { schedulesForm } from '../campaign/schedules-ledger.ts';
import { swarmForm } from '../check/swarm.ts';
import type { Session } from '../command.ts';
import { mergeFuzz } from '../fuzz/merge-fuzz.ts';
import { Outputs } from '../output.ts';
import { isOneFile } from '../output-conflicts.ts';
import { readInput } from '../read-input.ts';
import { readJson } from '../read-json.ts';
import { UsageError } from '../usage-error.ts';

interface MergeWords {
  readonly out: string;
  readonly json?: boolean;
}

/** `lockstep merge LEDGER…`: shards of one campaign as one (farm specification 1). */
export function declareMerge(command: Command, session: Session): void {
  command
    .argument('<ledger...>', 'ledgers of the shards of one campaign, or the folders that have them')
    .requiredOption('--out <dir>', 'folder for the ledger of all, and for what was found')
    .option('--json', 'one JSON object on standard output')
    .addHelpText(
      'after',
      `
Examples:
  lockstep fuzz raft --runs 100000 --shard 1/2 --out out/1
  lockstep fuzz raft --runs 100000 --shard 2/2 --out out/2
  lockstep merge out/1 out/2 --out out/all`,
    )
    .action(async (words: readonly string[], { out, json = false }: MergeWords) => {
      const files = words.map(ledgerIn);
      const formats = files.map((file) => [file, formatOf(file)] as const);
      const [, format] = formats[0]!;
      const other = formats.find(([, one]) => one !== format);
      if (other)
        throw new UsageError(
          `${other[0]}: found a ledger of the format ${other[1]} beside one of ${format}`,
          'give ledgers of the shards of one campaign',
        );
      refuseReplacing(files, out);
      const outputs = new Outputs();
      const merge =
        format === schedulesForm.format
          ? mergeSchedules
          : format === swarmForm.format
            ? mergeSwarms
            : mergeFuzz;
      session.exitCode = merge({ files, out, json, outputs, terminal: session.terminal });
      outputs.settle();
    });
}

/** What the ledger of a folder is called. */
const ledgerName = 'ledger.json';

/** Errors: `UsageError` when the ledger of all would take the place of one that is read. */
function refuseReplacing(files: readonly string[], out: string): void {
  const own = files.find((file) => isOneFile(file, join(out, ledgerName)));
  if (own !== undefined)
    throw new UsageError(
      `--out: found ${out}, the folder of ${own}, which is read, expected another folder`,
      'what the shard wrote would be replaced: name another folder',
    );
}

const ledgerIn = (word: string): string =>
  existsSync(word) && statSync(word).isDirectory() ? join(word, ledgerName) : word;

const cure = 'give the ledgers that campaigns with --shard wrote';

function formatOf(file: string): unknown {
  const data = readJson(readInput(file), file, cure);
  return (data as { format?: unknown } | null)?.format;
}
