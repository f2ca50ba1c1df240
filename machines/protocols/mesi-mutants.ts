import type { AnyStateMachine } from 'xstate';
import { cacheKit } from '../../actors/protocols/mesi-cache.ts';
import { directoryKit } from '../../actors/protocols/mesi-directory.ts';
import { mutantsOf } from '../mutant.ts';
import { plantingIn } from '../planting.ts';

/** The parties of the protocol. */
export interface MesiParts {
  readonly cache: AnyStateMachine;
  readonly directory: AnyStateMachine;
}

const { replace } = plantingIn<MesiParts>();

/** What can be wrong with caches and their directory. */
export const mesiMutants = mutantsOf<MesiParts>({
  'writes-early': {
    sentence: 'a cache writes as soon as it has the line, before all others have given up their copies',
    mutate: replace('cache', {
      guards: { completes: cacheKit.when<'Data' | 'InvAck'>((_cache, { type }) => type === 'Data') },
    }),
  },
  'takes-late-put': {
    sentence: 'the directory takes the value of a line that its sender does not own any more',
    mutate: replace('directory', { guards: { isFromOwner: directoryKit.when(() => true) } }),
  },
  'forgets-copy': {
    sentence: 'the directory forgets the value that the owner of a line writes back',
    mutate: replace('directory', { actions: { takeCopy: directoryKit.update(() => {}) } }),
  },
  'exclusive-for-all': {
    sentence: 'the directory gives a line out as if nobody else had it',
    mutate: replace('directory', { guards: { isShared: directoryKit.when(() => false) } }),
  },
});
