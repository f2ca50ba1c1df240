import { batch, effect } from '@preact/signals';
import { render } from 'preact';
import type { Judgement, Opened, Opening } from '../protocol.ts';
import { withJudgement } from '../simulator/opens-at.ts';
import { keepInAddress, takeFromAddress } from './address.ts';
import { App } from './app.tsx';
import { CataloguePage } from './catalogue.tsx';
import { Client } from './client.ts';
import { opening, simulator } from './source.ts';
import {
  axis,
  failure,
  followMoments,
  forkShown,
  goTo,
  isShowingAll,
  moment,
  opened,
  panel,
  playHead,
  progress,
  selected,
  showAll,
} from './store.ts';
import './style.css';

const place = document.getElementById('app')!;
progress.value = 'reading';
render(<App client={undefined} />, place);
void begin();

async function begin(): Promise<void> {
  try {
    const page = await opening();
    if (page.kind === 'catalogue') {
      document.title = `${page.title} · Lockstep`;
      render(<CataloguePage page={page} />, place);
      return;
    }
    const client = new Client(await simulator());
    render(<App client={client} />, place);
    progress.value = 'carrying out the run';
    /** Where the page has put the play head. */
    let placed = playHead.value;
    const take = (found: Opened): void => {
      const isFirst = opened.value === undefined;
      const showedAll = isShowingAll();
      const hasStayed = playHead.value === placed;
      batch(() => {
        if (isFirst)
          axis.value =
            found.asynchronous || found.run.ending.ticks > 50 * found.run.columns.count ? 'order' : 'time';
        opened.value = found;
        if (isFirst || showedAll) showAll();
      });
      document.title = `${found.title} · Lockstep`;
      // Where somebody has gone meanwhile he stays; the address may mean what was not there before.
      if (hasStayed && !takeFromAddress() && !found.run.isUnjudged) {
        const { at, actor, panel: first } = found.opensAt;
        panel.value = first;
        selected.value = actor;
        goTo(at);
      }
      // An address may name a moment alone.
      selected.value ||= found.opensAt.actor;
      if (hasStayed) placed = playHead.value;
      if (isFirst) followAll(client);
    };
    /** A run that takes long is judged in a thread of its own, so that the page is done sooner and answers meanwhile. */
    let judging: Promise<Judgement> | undefined;
    const carriedOut = await client.ask(
      'carryOut',
      page,
      (words) => {
        progress.value = `carrying out the run: ${words}`;
      },
      (sofar) => {
        take(sofar);
        // The first picture comes first.
        if (moment.value) judging ??= judgedBeside(page);
      },
    );
    if (judging) {
      take(carriedOut);
      progress.value = 'properties judge the run';
    }
    take(withJudgement(carriedOut, await (judging ?? client.ask('judge', page))));
    progress.value = '';
    // Not before the run is whole: what the address says may be behind what is there.
    keepInAddress();
    addEventListener('hashchange', takeFromAddress);
  } catch (error) {
    failure.value = error instanceof Error ? error.message : String(error);
    progress.value = '';
  }
}

/** Has a run judged by a simulator of its own. */
async function judgedBeside(page: Opening): Promise<Judgement> {
  const worker = await simulator();
  try {
    return await new Client(worker).ask('judge', page, (words) => {
      if (!opened.value?.run.isRunning) progress.value = `properties judge the run: ${words}`;
    });
  } finally {
    worker.terminate();
  }
}

/** Shows the moment at the play head, whatever moves it. */
function followAll(client: Client): void {
  const ask = followMoments(client);
  effect(() => {
    void [playHead.value, selected.value, forkShown.value, panel.value === 'machine'];
    ask();
  });
  // For tests: the page has come to rest when the moment is that of the play head, and the run is whole.
  effect(() => {
    const { dataset } = document.documentElement;
    dataset['at'] = opened.value?.run.isUnjudged ? '' : String(moment.value?.at ?? '');
    dataset['shown'] = String(moment.value?.at ?? '');
  });
}
