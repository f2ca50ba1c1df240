import type { Command } from 'commander';
import { writeFileAtomically } from '../../scenarios/atomic-file.ts';
import { pageInOne } from '../../viewer/open/page-text.ts';
import { foundAt, servedOf } from '../../viewer/open/served.ts';
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
    .argument(
      '[file]',
      'a scenario, a recording, a folder of them, or the ledger of a campaign; without one the scenarios of the project',
    )
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
  lockstep view out/a-broken-promise.check.json --html out/broken.html
  lockstep view out/fuzz/cell/ledger.json
  lockstep view`,
    )
    .action((file: string | undefined, options: ViewCommandOptions) => view(file, options, session));
}

async function view(
  file: string | undefined,
  { port, html }: ViewCommandOptions,
  { terminal }: Session,
): Promise<void> {
  const project = await projectOf();
  const opened = await foundAt(file, project);
  terminal.err('making the page …\n');
  if (html !== undefined) {
    writeFileAtomically(html, await pageInOne(opened, project));
    terminal.err(`page written: ${html}; open it in a browser\n`);
    return;
  }
  const { server, address } = await serve(await servedOf(opened, project), port);
  terminal.out(`${address}\n`);
  terminal.err('open this address in a browser on this computer; Ctrl-C ends it\n');
  const interrupt = new Interrupt(terminal);
  while (!interrupt.asked) await new Promise((resolve) => setTimeout(resolve, 100));
  interrupt.release();
  server.closeAllConnections();
  server.close();
}
