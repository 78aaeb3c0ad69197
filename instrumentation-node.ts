import { toErrorRecord } from '@/harness/contract/errors';
import { beginHost } from '@/server/host/host';

// a build evaluates the server too; it must neither open the database nor take up runs
if (process.env.NEXT_PHASE !== 'phase-production-build') {
  try {
    await beginHost();
  } catch (thrown) {
    // a server that could not begin must not answer
    process.stderr.write(`${toErrorRecord(thrown).message}\n`);
    process.exit(1);
  }
}
