/** Releases in a folder, as tests write them. */
import { RELEASED_DECLARATIONS } from '../../core/release/manifest.ts';
import { type ReleaseOutcome, type ReleaseRequest, writeRelease } from '../../core/release/release.ts';
import { createReleaseFolder } from '../../core/store/release-place.ts';

export const ADDRESS = 'https://example.org/data/';

/** Writes the release of a day into `folder`; of the declared sources, unless `request` has others. */
export const releaseInto = (
  folder: string,
  request: Pick<ReleaseRequest, 'tables' | 'day'> & Partial<ReleaseRequest>,
): Promise<ReleaseOutcome> =>
  writeRelease({
    declarations: RELEASED_DECLARATIONS,
    place: createReleaseFolder(folder),
    address: ADDRESS,
    ...request,
  });
