import type { GpuTiming } from '../../actors/chiplet/gpu/timing.ts';
import { blocksOfCluster } from '../../actors/chiplet/ptx/cluster.ts';
import type { Kernel } from '../../actors/chiplet/ptx/kernel.ts';
import type { GpuCase } from './gpu-case.ts';

/** KiB of shared memory that a block may have on GPUs of a target (CUDA C++ Programming Guide, technical specifications by compute capability); 48 on those that are not listed. */
const sharedKiB: Readonly<Record<string, number>> = {
  sm_70: 96,
  sm_72: 96,
  sm_75: 64,
  sm_80: 163,
  sm_86: 99,
  sm_87: 163,
  sm_88: 163,
  sm_89: 99,
  sm_90: 227,
  sm_100: 227,
  sm_101: 227,
  sm_103: 227,
  sm_110: 227,
  sm_120: 99,
  sm_121: 99,
};

/** A core, and what was made larger in it. */
export interface CoreRoom {
  readonly timing: GpuTiming;
  /** What the launch needed, for people; undefined where the core is as it was. */
  readonly enlarged: string | undefined;
}

/**
 * A core with room for one block of a launch, or for one cluster, as far as GPUs of the kernel's target have it.
 *
 * Why: a chiplet as shipped has the cores of 2010 (chiplet specification 7.3), and texts are compiled for GPUs that grant a block up to 227 KiB of shared memory, and run the blocks of a cluster at the
 * same time.
 */
export function coreWithRoom(
  timing: GpuTiming,
  kernel: Kernel,
  { block, dynamicSharedBytes = 0, cluster }: Pick<GpuCase, 'block' | 'dynamicSharedBytes' | 'cluster'>,
): CoreRoom {
  const shape = kernel.cluster === null || kernel.cluster === 'asked' ? cluster : kernel.cluster;
  const blocks = blocksOfCluster({ cluster: shape ?? [1, 1, 1] });
  const warps = blocks * Math.ceil((block[0] * block[1] * block[2]) / 32);
  const shared = kernel.sharedBytes + dynamicSharedBytes;
  const most = 1024 * (sharedKiB[kernel.target.replace(/[af]$/, '')] ?? 48) + kernel.reservedSharedBytes;
  const needed = {
    ...(blocks > timing.blocksPerCore && { blocksPerCore: blocks }),
    ...(warps > timing.warpsPerCore && { warpsPerCore: warps }),
    ...(blocks * shared > timing.sharedBytesPerCore &&
      shared <= most && { sharedBytesPerCore: blocks * shared }),
  };
  const names = {
    blocksPerCore: 'blocks',
    warpsPerCore: 'warps',
    sharedBytesPerCore: 'bytes of shared memory',
  } as const;
  const more = Object.entries(needed).map(([key, value]) => `${value} ${names[key as keyof typeof needed]}`);
  return {
    timing: more.length === 0 ? timing : { ...timing, ...needed },
    enlarged: more.length === 0 ? undefined : more.join(' and '),
  };
}
