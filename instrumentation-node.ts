import { beginHost } from '@/server/host/host';

// a build evaluates the server too; it must neither open the database nor take up runs
if (process.env.NEXT_PHASE !== 'phase-production-build') await beginHost();
