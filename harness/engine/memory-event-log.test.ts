import { describeEventLog } from '../testing/event-log-suite';
import { describeRunStore } from '../testing/run-store-suite';
import { MemoryEventLog } from './memory-event-log';
import { MemoryRunStore } from './memory-run-store';

describeEventLog('memory', () => ({ log: new MemoryEventLog(), close: () => undefined }));
describeRunStore('memory', () => ({ store: new MemoryRunStore(), close: () => undefined }));
