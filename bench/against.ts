import { checkOut } from '../test/support/checkout.ts';
import { gatewayServers, gatewayTargets, ROOT, type ServerSpec, type Target } from './targets.ts';

/** The service of another commit, as targets that are measured alternately with those of this checkout. */
export interface Against {
  readonly servers: readonly ServerSpec[];
  readonly targets: readonly Target[];
  /** The target of the other commit with which each target of this checkout is compared. */
  readonly comparedWith: Readonly<Record<string, string>>;
  /** Deletes the checkout. */
  remove(): Promise<void>;
}

/**
 * Checks a commit out. Its servers get the requests of its own documents, on the database of this checkout.
 * @param commit anything that identifies a commit to git.
 * @throws Error if git or npm fails.
 */
export async function openOther(commit: string): Promise<Against> {
  const { root, commit: hash, remove } = await checkOut(commit);
  const suffix = `@${hash}`;
  const others = gatewayTargets(root, suffix);
  const comparedWith = gatewayTargets(ROOT).map(({ name }, index) => [name, others[index]?.name ?? '']);
  return {
    ...{ servers: gatewayServers(root, suffix), targets: others, remove },
    comparedWith: Object.fromEntries(comparedWith),
  };
}
