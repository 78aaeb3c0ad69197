import { config } from './config';
import { bury, type Delivery, done, put } from './queue';
import { afterFailure } from './retry';
import { signatureHeader } from './signature';

/** One attempt. A delivery leaves the queue only after a 2xx answer, a 410, or the last attempt. */
export async function attempt(delivery: Delivery, secrets: readonly string[], now: number): Promise<void> {
  const status = await send(delivery, secrets, now);
  if (status !== null && status >= 200 && status < 300) return done(delivery.id);
  const tried = { ...delivery, attempts: delivery.attempts + 1 };
  const verdict = afterFailure(tried, status);
  if (verdict.kind === 'again') return put({ ...tried, dueAt: now + verdict.delayMs });
  if (verdict.kind === 'unsubscribe') return done(delivery.id);
  await put(tried);
  await bury(delivery.id);
}

async function send(delivery: Delivery, secrets: readonly string[], now: number): Promise<number | null> {
  try {
    const answer = await fetch(delivery.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'relay-signature': signatureHeader(delivery.body, secrets, now) },
      body: delivery.body,
      redirect: 'error',
      signal: AbortSignal.timeout(config.deliveryTimeoutMs),
    });
    return answer.status;
  } catch {
    return null;
  }
}
