import type { Command } from 'commander';
import { actorNamed, allActors } from '../actor-files.ts';
import type { Session } from '../command.ts';
import { loadCoverage } from '../coverage/coverage-file.ts';
import { heatOf } from '../diagram/heat.ts';
import { mermaidStatechart } from '../diagram/mermaid.ts';
import { standardOutput, writeOutput } from '../output.ts';
import { UsageError } from '../usage-error.ts';

interface DiagramOptions {
  readonly list?: boolean;
  readonly coverage?: string;
  readonly out?: string;
}

/** `lockstep diagram ACTOR` (design, section 7). */
export function declareDiagram(command: Command, { terminal }: Session): void {
  command
    .argument('[actor]', 'name of an actor, for example cell/dma-module')
    .option('--list', 'name all actors instead')
    .option('--coverage <file>', 'colour it by how often runs saw its states and transitions')
    .option('--out <file>', 'write it there: a picture when it ends in .svg, else Mermaid')
    .addHelpText(
      'after',
      `
Examples:
  lockstep diagram cell/dma-module --out out/dma-module.svg
  lockstep diagram protocol.ts#server --out out/server.mmd`,
    )
    .action(async (name: string | undefined, { list, coverage, out }: DiagramOptions) => {
      if (list) {
        terminal.out((await allActors()).map((actor) => `${actor.name}\n`).join(''));
        return;
      }
      if (name === undefined)
        throw new UsageError('found no actor to draw', '`lockstep diagram --list` names them all');
      const actor = await actorNamed(name);
      const heat = coverage === undefined ? undefined : heatOf(actor.machine, loadCoverage(coverage));
      // A picture needs a layout, which takes a while to load.
      const text = out?.endsWith('.svg')
        ? await (await import('../diagram/statechart-picture.ts')).statechartPicture(
            actor.machine,
            actor.name,
            heat,
          )
        : mermaidStatechart(actor.machine, actor.name, heat);
      if (out === undefined || out === standardOutput) terminal.out(text);
      else {
        writeOutput(terminal, out, text);
        terminal.err(`diagram written: ${out}\n`);
      }
    });
}
