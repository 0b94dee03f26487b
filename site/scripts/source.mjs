import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

// The AGPL asks that users of the site can get its source: the build ships the commit it was made from.
export default function source() {
  return {
    name: 'source-archive',
    hooks: {
      async 'astro:build:done'({ dir, logger }) {
        if (process.env.PUBLIC_SOURCE_URL) return;
        const cwd = fileURLToPath(new URL('../../', import.meta.url));
        const file = join(fileURLToPath(dir), 'source.tar.gz');
        const archive = ['archive', '--format=tar.gz', '--prefix=papercrane/', '-o', file, 'HEAD'];
        await run('git', archive, { cwd }).catch(async () => {
          await rm(file, { force: true });
          logger.warn('no git checkout: set PUBLIC_SOURCE_URL to where the source of this build can be had');
        });
      },
    },
  };
}
