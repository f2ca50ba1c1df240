/* The simulator in the page: a worker that answers questions one after the other. */
import { userModules } from 'lockstep:user-modules';
import { modulesComeFrom } from '../../scenarios/import-module.ts';
import type { Answer, Ask } from '../protocol.ts';
import { Session } from './session.ts';

const tell = (answer: Answer): void => postMessage(answer);

modulesComeFrom(async (path) => {
  const load = userModules[path];
  if (!load) throw new Error('it did not come with the page');
  return load();
});

let asked = -1;
const session = new Session(undefined, async (words, sofar) => {
  tell({ id: asked, progress: words });
  if (sofar) tell({ id: asked, sofar });
  await new Promise((resolve) => setTimeout(resolve));
});

/** One after the other: what is asked later may be about the run that an earlier question made. */
let last: Promise<void> = Promise.resolve();
addEventListener('message', ({ data }: MessageEvent<Ask>) => {
  // A moment is looked at also while the run is carried out.
  if (data.question === 'moment') void answer(data);
  else
    last = last.then(() => {
      asked = data.id;
      return answer(data);
    });
});

async function answer({ id, question, given }: Ask): Promise<void> {
  try {
    tell({ id, answer: await session[question](given as never) });
  } catch (error) {
    tell({ id, error: error instanceof Error ? error.message : String(error) });
  }
}
