import { effect } from '@preact/signals';
import { render } from 'preact';
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
    const found = await client.ask('open', page, (words) => {
      progress.value = `carrying out the run: ${words}`;
    });
    axis.value =
      found.asynchronous || found.run.ending.ticks > 50 * found.run.columns.count ? 'order' : 'time';
    opened.value = found;
    document.title = `${found.title} · Lockstep`;
    showAll();
    const { at, actor, panel: first } = found.opensAt;
    panel.value = first;
    selected.value = actor;
    if (!takeFromAddress()) goTo(at);
    progress.value = '';
    const ask = followMoments(client);
    effect(() => {
      void [playHead.value, selected.value, forkShown.value];
      ask();
    });
    keepInAddress();
    addEventListener('hashchange', takeFromAddress);
    // For tests: the page has come to rest when the moment is that of the play head.
    effect(() => {
      document.documentElement.dataset['at'] = String(moment.value?.at ?? '');
    });
  } catch (error) {
    failure.value = error instanceof Error ? error.message : String(error);
    progress.value = '';
  }
}
