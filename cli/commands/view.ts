import type { Command } from 'commander';
import { writeFileAtomically } from '../../scenarios/atomic-file.ts';
import { bundledInOne, bundledPage } from '../../viewer/open/bundle.ts';
import { Charts } from '../../viewer/open/charts.ts';
import { openingOf } from '../../viewer/open/opening.ts';
import { pageInOne } from '../../viewer/open/page-text.ts';
import { serve } from '../../viewer/open/server.ts';
import type { Session } from '../command.ts';
import { Interrupt } from '../interrupt.ts';
import { projectOf } from '../known-machines.ts';
import { naturalOption } from '../natural-option.ts';

interface ViewCommandOptions {
  readonly port: number;
  readonly html?: string;
}

/** `lockstep view FILE` (specs/viewer.md). */
export function declareView(command: Command, session: Session): void {
  command
    .argument('<file>', 'a scenario or a recording')
    .option(
      '--port <number>',
      'port of the page on this computer; 0 takes a free one',
      naturalOption('--port'),
      0,
    )
    .option('--html <file>', 'write the page as one file instead, which opens from disk')
    .addHelpText(
      'after',
      `
Examples:
  lockstep view scenarios/protocols/paxos.yaml
  lockstep view out/a-broken-promise.check.json
  lockstep view out/a-broken-promise.check.json --html out/broken.html`,
    )
    .action((file: string, options: ViewCommandOptions) => view(file, options, session));
}

async function view(file: string, { port, html }: ViewCommandOptions, { terminal }: Session): Promise<void> {
  const { machines, file: configuration } = await projectOf();
  const found = openingOf(file, configuration);
  terminal.err('making the page …\n');
  const charts = new Charts(found.scenario, machines);
  if (html !== undefined) {
    const page = pageInOne(await bundledInOne(found.modules), found.opening, await charts.all());
    writeFileAtomically(html, page);
    terminal.err(`page written: ${html}; open it in a browser\n`);
    return;
  }
  const files = await bundledPage(found.modules);
  const { server, address } = await serve({ files, found, charts }, port);
  terminal.out(`${address}\n`);
  terminal.err('open this address in a browser on this computer; Ctrl-C ends it\n');
  const interrupt = new Interrupt(terminal);
  while (!interrupt.asked) await new Promise((resolve) => setTimeout(resolve, 100));
  interrupt.release();
  server.closeAllConnections();
  server.close();
}
